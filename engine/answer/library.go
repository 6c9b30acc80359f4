package answer

import (
	"context"
	"fmt"
	"time"
)

// A Citation is a stretch of text that can be cited: its words are in the file, the buffer or the record now.
type Citation struct {
	ID        string // tells citations apart
	Name      string // with its container: "Engine.Search"
	Type      string // function, method, class, code, reasoning, knowledge
	Path      string // relative; "" for a memory record
	Line      int    // one-based, of the name
	First     int    // one-based line on which Text begins
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

// A Commit is one commit of the workspace.
type Commit struct {
	Hash, Author, Subject string
	Time                  time.Time
	Files                 []string // relative paths
	Added                 []string // those of them that it made
}

// A Companion is a file that changed in the same commits as another one.
type Companion struct {
	Citation     // that stands for the file
	Shared   int // commits of both
	Of       int // commits of the other one, those of very many files left out
}

// A Change is a file that differs from the last commit.
type Change struct {
	Path string
	Kind string // modified, added, deleted, untracked, conflicted
}

// A History is what git knows of a citation's lines.
type History struct {
	Tracked      bool
	Commits      int
	LastModified time.Time
	LastAuthor   string
	LastSubject  string
	LastCommit   string
	FirstCommit  time.Time
}

// A LineOrigin is a commit that some lines of a citation come from.
type LineOrigin struct {
	Hash, Author, Subject string
	Time                  time.Time
	Lines                 int
}

// A Revision is a commit that somebody named by a tag, a branch or its hash.
type Revision struct {
	Name, Hash string
	Time       time.Time
	Before     string // the latest tag before it, "" without one
}

// A Span limits the commits that are asked for.
type Span struct {
	Path  string // file or folder; "" means everywhere
	Since time.Time
	From  string // hash of a commit that is left out with all before it
	To    string // hash of the last one; "" is what is checked out
	Limit int
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

// A Library is where the facts come from. Every method returns citations whose text was read just now, best first, and
// the context's error when ctx ended.
type Library interface {
	// Here returns the definition around the person's cursor or selection.
	Here(ctx context.Context) (Citation, bool)
	// Definitions returns the definitions of a name, qualified or not, in any letter case when none is spelled so.
	Definitions(ctx context.Context, name string) ([]Citation, error)
	// Callers returns up to limit citations that call something of this name, and how many there are.
	Callers(ctx context.Context, name string, limit int) ([]Citation, int, error)
	// Neighbours returns up to limit definitions that a definition leads to, the surest first, and how many there are.
	Neighbours(ctx context.Context, p Citation, to Direction, limit int) ([]Link, int, error)
	// Importers returns the lines that import a file or folder, or else a module of that name.
	Importers(ctx context.Context, path, module string) ([]Line, error)
	// Imports returns files here that a file or the files of a folder import, and the modules from elsewhere.
	Imports(ctx context.Context, path string) (inside []Citation, outside []string, err error)
	// Similar returns definitions that read like a citation.
	Similar(ctx context.Context, p Citation, limit int) ([]Citation, error)
	// Search returns code and memory for words, and how sure it is of the first, 0..1.
	Search(ctx context.Context, words string, limit int) ([]Citation, float64, error)
	// Lines returns the lines that fit, of the citations that hold one of the words, in the order of paths and numbers.
	Lines(ctx context.Context, words string, fits func(line string) bool) ([]Line, error)
	// Records returns what is remembered about a citation.
	Records(ctx context.Context, p Citation) ([]Citation, error)
	// Near returns names close to word.
	Near(word string, limit int) []string
	// Locate returns the file or folder that a person means by a path, a part of one, or a package name.
	Locate(place string) (path string, ok bool)
	// List returns up to limit definitions in the order of paths and lines, those outside of tests first, and how many
	// there are, and how many of these stand in tests, examples, and generated or foreign code.
	List(ctx context.Context, f Filter, limit int) (list []Citation, total, aside int, err error)
	// File returns a citation of the file at a relative path; ok is false when the file is not indexed.
	File(ctx context.Context, path string) (p Citation, ok bool)
	// Commits, Changes, History, Origins and Revision ask git; they fail when there is no repository.
	Commits(ctx context.Context, s Span) ([]Commit, error)
	Changes(ctx context.Context, path string) ([]Change, error)
	History(ctx context.Context, p Citation) (History, error)
	Origins(ctx context.Context, p Citation) ([]LineOrigin, error) // the oldest first
	// Together returns files that changed in the same commits as a file, the most frequent first, at most limit.
	Together(ctx context.Context, path string, limit int) ([]Companion, error)
	// Revision finds a commit by its name; ok is false when none has it, and newest are names of tags that exist.
	Revision(ctx context.Context, name string) (r Revision, newest []string, ok bool, err error)
	// Size returns how many files and chunks were looked at.
	Size() (files, chunks int)
}
