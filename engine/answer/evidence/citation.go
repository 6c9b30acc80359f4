package evidence

import (
	"fmt"
	"strings"
)

// A Citation is a stretch of text that can be cited: its words are in the file, the buffer or the record now.
type Citation struct {
	ID        string // tells citations apart
	Name      string // with its container: "Engine.Search"
	Type      string // function, method, class, code, reasoning, knowledge
	Kind      string // of what is no definition of its own: constant, field, enum member; "" for the others
	Path      string // relative; "" for a memory record
	Line      int    // one-based, of the name
	First     int    // one-based line on which Text begins
	Above     int    // lines of Text that are the comment above the definition
	Language  string
	Signature string // one line; may be empty
	Doc       string // first paragraph; may be empty
	Text      string
	Test      bool // it lies in a test, generated, vendored or example file
}

// Place is "path:line", or "memory" for a record.
func (p Citation) Place() string {
	if p.Path == "" {
		return "memory"
	}
	return fmt.Sprintf("%s:%d", p.Path, p.Line)
}

// Code is the text below the comment that stands above the definition.
func (p Citation) Code() string {
	rest := p.Text
	for range p.Above {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	return rest
}

// A Companion is a file that changed in the same commits as another one.
type Companion struct {
	Citation     // that stands for the file
	Shared   int // commits of both
	Of       int // commits of the other one, those of very many files left out
}

// A Direction leads from a definition to others.
type Direction string

// The directions.
const (
	ToCallers    Direction = "callers"
	ToCallees    Direction = "callees"
	ToTests      Direction = "tests"
	ToSupertypes Direction = "supertypes"
	ToSubtypes   Direction = "subtypes"
)

// A Link is a definition that another one leads to.
type Link struct {
	Citation
	Sure float64 // 0..1: how sure it is that the names mean these definitions
	Why  string
	File bool // the citation stands for its file
}

// A Line is a line of text with the citation that it stands in.
type Line struct {
	Citation
	Number int // one-based
	Text   string
}

// At is "path:number".
func (l Line) At() string { return fmt.Sprintf("%s:%d", l.Path, l.Number) }

// A Filter says which definitions are listed. What is not set does not narrow.
type Filter struct {
	Path      string   // file or folder
	Container string   // the type that they belong to
	Types     []string // function, method, class, code
	Fits      func(name string) bool
}
