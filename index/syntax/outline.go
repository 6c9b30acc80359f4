package syntax

// A Span is a half-open range of byte offsets into the text that was parsed. The zero Span means "none".
type Span struct{ Start, End int }

// Empty reports whether s covers nothing.
func (s Span) Empty() bool { return s.End <= s.Start }

// Covers reports whether o lies wholly inside s.
func (s Span) Covers(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Kind says what a definition defines.
type Kind uint8

// The kinds.
const (
	Function Kind = iota + 1
	Method        // a function that belongs to a type or to a named object
	Class         // class, struct, interface, enum, type alias
	Section       // of a document, its subsections included
	Block         // what a name labels without defining it: a key and its value, a statement, a rule, fenced code
)

// A Definition is a named piece of a text.
type Definition struct {
	Kind      Kind
	Name      string
	Container string // receiver type, or the names of what encloses it, joined by "."
	Parent    int    // index of the innermost definition around it, -1 at the top level

	Span      Span // all of it: comments directly above, decorators, export keyword
	NameSpan  Span // of the name, inside Span
	Signature Span // from the keyword to the body
	Doc       Span // comment above or documentation string inside
	Result    Span // the type that a function returns, as written
}

// A Call is a place where something is called (or, in JSX, a component used).
type Call struct {
	Name      string // the last part: "Parse" of text.Parse(x)
	Qualifier string // what stands before it: "text"; "" without one, Unknown for anything but a name
	Span      Span   // of the name
	On        Span   // the expression before it, without the separator; {} without one
}

// A Binding gives names a type or a value.
type Binding struct {
	Names Span // one name, or a list or pattern of them
	Type  Span // as written, {} without one
	Value Span // the expression, {} without one
	Each  bool // the names are each part of Value
	Scope Span // where the names are known; {} for what follows and is indented no less

	Returns bool // Type is what a function of this name returns
}

// Unknown is the qualifier of what is called on an expression, as f().Close() and a[0].Close().
const Unknown = "?"

// An Inheritance says that one type inherits from, implements or embeds another one.
type Inheritance struct {
	Subtype   string
	Supertype string // the last part of its name, without type arguments
	Qualifier string // what stands before it, as in Call
	Span      Span   // of the supertype as written
}

// An Import is one name that the file takes from elsewhere.
type Import struct {
	Path string // as written, without quotes
	Name string // local name, "" when the import gives none, "*" for all
	Of   string // its name where it comes from, "" when that is Name; Default or All
	Span Span   // of Path
}

// What an Import or an Export is of, when that has no name.
const (
	Default = "default" // what a module exports without a name
	All     = "*"       // the module itself
)

// An Export is a name under which others find something that has another name, or comes from elsewhere.
type Export struct {
	Name string // Default; All for everything that Path exports
	Of   string // its name in Path, or here without one; All for the module itself
	Path string // where it comes from, as written, "" for this file
}

// A SymbolKind says what a symbol is.
type SymbolKind uint8

// The kinds of symbols, in the order of the roles that capture them.
const (
	Constant SymbolKind = iota + 1
	Variable
	Field
	Property
	EnumMember
	Macro
	Member // a method that an interface or an abstract type declares
	Type   // without members of its own, as an alias
	Namespace
	Table
	Column
	Selector
	Key
	Test
	Route // of HTTP, as a framework is told it: "/users/{id}"
	Inner // a key of an object inside a function or an argument
)

// A Symbol is a named thing that is no definition: it is found by its name and read with what is around it.
type Symbol struct {
	Kind      SymbolKind
	Name      string
	Container string // the names of what encloses it, joined by "."
	Span      Span   // its declaration
	NameSpan  Span   // of the name, inside Span
}

// An Outline is what parsing found in a text, in the order of the text. Definitions nest: any two of their spans are
// either disjoint or one covers the other, and the outer one comes first.
type Outline struct {
	Definitions []Definition
	Symbols     []Symbol // in the order of their names in the text
	Calls       []Call
	Bindings    []Binding
	Imports     []Import
	Exports     []Export
	Inherits    []Inheritance
	Doc         Span   // documentation string of the file itself
	Blocks      []Span // pieces that must not be cut in two, as fenced code; they don't overlap
	HasError    bool   // the grammar could not make sense of all of it
	Sparse      bool   // what lies outside of the definitions is not worth finding, as the outputs of a notebook
}
