package answer

import (
	"context"
	"fmt"
	"time"
)

// A Passage is a stretch of text that can be cited: its words are in the file, the buffer or the record now.
type Passage struct {
	ID        string // tells passages apart
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
func (p Passage) Place() string {
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
}

// A Change is a file that differs from the last commit.
type Change struct {
	Path string
	Kind string // modified, added, deleted, untracked, conflicted
}

// A History is what git knows of a passage's lines.
type History struct {
	Tracked      bool
	Commits      int
	LastModified time.Time
	LastAuthor   string
	LastSubject  string
	LastCommit   string
	FirstCommit  time.Time
}

// A Span limits the commits that are asked for.
type Span struct {
	Path  string // file or folder; "" means everywhere
	Since time.Time
	Limit int
}

// A Library is where the facts come from. Every method returns passages whose text was read just now, best first, and
// the context's error when ctx ended.
type Library interface {
	// Here returns the definition around the person's cursor or selection.
	Here(ctx context.Context) (Passage, bool)
	// Definitions returns the definitions of a name, qualified or not, in any letter case when none is spelled so.
	Definitions(ctx context.Context, name string) ([]Passage, error)
	// Callers returns up to limit passages that call something of this name, and how many there are.
	Callers(ctx context.Context, name string, limit int) ([]Passage, int, error)
	// Callees returns the definitions that a passage calls.
	Callees(ctx context.Context, p Passage, limit int) ([]Passage, error)
	// Similar returns definitions that read like a passage.
	Similar(ctx context.Context, p Passage, limit int) ([]Passage, error)
	// Search returns code and memory for words, and how sure it is of the first, 0..1.
	Search(ctx context.Context, words string, limit int) ([]Passage, float64, error)
	// Records returns what is remembered about a passage.
	Records(ctx context.Context, p Passage) ([]Passage, error)
	// Near returns names close to word.
	Near(word string, limit int) []string
	// Locate returns the file or folder that a person means by a path, a part of one, or a package name.
	Locate(place string) (path string, ok bool)
	// List returns up to limit chunks of the given types (none means definitions) in a file or folder, in the order of
	// paths and lines, and how many there are.
	List(ctx context.Context, path string, types []string, limit int) ([]Passage, int, error)
	// File returns a passage of the file at a relative path; ok is false when the file is not indexed.
	File(ctx context.Context, path string) (p Passage, ok bool)
	// Commits, Changes and History ask git; they fail when there is no repository.
	Commits(ctx context.Context, s Span) ([]Commit, error)
	Changes(ctx context.Context, path string) ([]Change, error)
	History(ctx context.Context, p Passage) (History, error)
	// Size returns how many files and chunks were looked at.
	Size() (files, chunks int)
}
