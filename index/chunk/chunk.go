package chunk

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// Type is the contract's hit type of a chunk of code.
type Type string

// The types of chunks that come from files.
const (
	Function Type = "function"
	Method   Type = "method"
	Class    Type = "class" // class, struct, interface, trait, enum, type alias
	Code     Type = "code"  // sections, remainders, paragraphs
)

// Kind says what part of which kind of file a chunk is.
type Kind string

// The kinds of chunks.
const (
	KindFunction  Kind = "CODE_FUNCTION"
	KindClass     Kind = "CODE_CLASS"
	KindBlock     Kind = "CODE_BLOCK"
	KindSection   Kind = "MARKDOWN_SECTION"
	KindParagraph Kind = "PARAGRAPH"
	KindDocstring Kind = "DOCSTRING"
	KindYAML      Kind = "YAML_BLOCK"
	KindSQL       Kind = "SQL_STATEMENT"
	KindComment   Kind = "COMMENT"
)

// A Span is a half-open range of byte offsets into the text of its file. The zero Span means "none".
type Span struct{ Start, End int }

// Empty reports whether s covers nothing.
func (s Span) Empty() bool { return s.End <= s.Start }

// Contains reports whether the offset lies in s; the end itself does not.
func (s Span) Contains(offset int) bool { return s.Start <= offset && offset < s.End }

// Covers reports whether o lies wholly inside s.
func (s Span) Covers(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// In returns the bytes of src that s covers; a span past the end of src is cut.
func (s Span) In(src []byte) []byte {
	start, end := max(0, min(s.Start, len(src))), min(s.End, len(src))
	if end < start {
		return nil
	}
	return src[start:end]
}

// A Chunk is one retrievable part of a file. It holds no text, only places in it: who shows a chunk reads
// the text it was made from, so that a chunk can never show words that the file no longer has.
type Chunk struct {
	Type      Type
	Kind      Kind
	Name      string // "Tokenize"; the heading of a section; "" for a remainder
	Container string // receiver, class or parent headings joined by "."; "" at the top level
	Ordinal   int    // 0 for the first chunk of this qualified name in the file, then 1, 2, ...

	Span      Span // all of it, its doc comment and decorators included
	NameSpan  Span // the name in the definition
	Signature Span // from the definition's start to its body
	Doc       Span // doc comment or docstring

	// Overlap is the end of the chunk before, when a long stretch was cut. It belongs to that chunk; who reads this
	// chunk alone reads it first. {} for most.
	Overlap Span

	LineRange

	Tokens int    // estimated, of Span
	Parts  []Part // of a function above the limit of tokens, else nil

	Calls []Call // what is called inside the chunk, each once, in order of first appearance
	Hash  uint64 // of the bytes of Span: tells whether the chunk still holds what it held
}

// A LineRange is zero-based, both ends inclusive, by LSP's notion of lines.
type LineRange struct{ StartLine, EndLine int }

// HasBody reports whether something follows the signature. Most prototypes of C end with it.
func (c *Chunk) HasBody() bool { return c.Signature.End < c.Span.End }

// QualifiedName is the container and the name joined by a dot, or "remainder" for a chunk without a name.
func (c *Chunk) QualifiedName() string {
	switch {
	case c.Name == "":
		return "remainder"
	case c.Container == "":
		return c.Name
	}
	return c.Container + "." + c.Name
}

// ID returns the chunk's identity in the workspace: code:<path>:<qualified name>, with ~n for the n-th duplicate
// in one file. It never holds a line, so it survives edits above the chunk.
func (c *Chunk) ID(path string) string {
	var b strings.Builder
	b.WriteString("code:")
	b.WriteString(path)
	b.WriteByte(':')
	b.WriteString(c.QualifiedName())
	if c.Ordinal > 0 {
		b.WriteByte('~')
		b.WriteString(strconv.Itoa(c.Ordinal))
	}
	return b.String()
}

// A Part is a stretch of a function that is too long to be read at once. The parts of a chunk are disjoint, lie in it, and
// hold everything of it that is not white space. The name and the signature of a part are those of its chunk.
type Part struct {
	Span               Span
	Overlap            Span // the end of the part before, to be read first; {} for the first one
	StartLine, EndLine int
	Tokens             int // estimated, of Span
}

// A Call says what is called, and on what, as far as the chunk itself tells.
type Call struct {
	Name string // the last part: "Parse" of text.Parse(x)
	// Qualifier is what stands before the name: an import, a type or a variable. A variable whose type the chunk, or the
	// fields of its class in the same file, show is replaced by that type, the method's own object by Self, its parent by Super. "" without one; Unknown for an
	// expression.
	Qualifier string
	// On is the receiver as a path, where the chunk tells more of it than Qualifier: a name, Self, Super, "'" for a string or a
	// written type between semicolons; then ".name" for a member, "()" for what a call returns, "@n" for its n-th result, "[]" for
	// an element, "*" and "^" for each element and its key, "%" for what a with statement makes of it, "&n" for what
	// its n-th parameter takes. "?" when it can't be followed.
	On string
	// Args are the types of the arguments in round brackets, "_" for one that is not known; "" in a language without overloads.
	Args string
}

// CallsName reports whether something of this name is called in the chunk.
func (c *Chunk) CallsName(name string) bool {
	return slices.ContainsFunc(c.Calls, func(call Call) bool { return call.Name == name })
}

// An Inheritance says that one type inherits from, implements or embeds another one.
type Inheritance struct {
	Chunk     int    // into File.Chunks: of the subtype, or where it is said when the type is defined elsewhere
	Subtype   string // name
	Supertype string // name, without qualifier and type arguments
	Qualifier string // what stands before the supertype's name, "" without one
}

// An Import is one name that a file takes from elsewhere.
type Import struct {
	Path string // as written, without quotes
	Name string // local name, "" when it is the path's last element
	Of   string // its name where it comes from, "" when that is Name; syntax.Default or syntax.All
	Line int    // zero-based
}

// An Export is a name under which other files find something that has another name, or that comes from elsewhere, see
// syntax.Export.
type Export = syntax.Export

// A File is all that chunking knows of one text: a pure function of (text, language, Version).
type File struct {
	Language string // "go", "python", ... or "text"
	Chunks   []Chunk
	Imports  []Import
	Exports  []Export
	Inherits []Inheritance // in the order of the text
	Symbols  SymbolTable   // what has a name and is no chunk
	Types    TypeTable     // of fields, variables and results
	Lines    int           // number of lines
	Errors   bool          // the grammar could not parse all of it; the chunks around the error are there all the same

	Manifest  string // a Manifest, as JSON; "" for most files
	Generated bool   // the text says that a program wrote it; see also GeneratedName
}
