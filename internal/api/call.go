package api

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/conversation"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/internal/trust"
	"go.lsp.dev/uri"
)

// A Call is what the handler of an operation works with: the engine, and the one who calls.
type Call struct {
	Engine *engine.Engine
	Caller
}

// A Caller is who calls, and what can be asked of it meanwhile. What is nil it can't do.
type Caller struct {
	Agent    string                                    // who it is, for the figures of usage; "" leaves that to the engine
	Durable  bool                                      // what it reads and changes of memory must be that of the file: else operations fail
	Progress func(engine.Progress)                     // hears of phases
	Ask      engine.Asker                              // puts the questions of agents to the person
	Models   *engine.Models                            // that it lends
	Confirm  func(context.Context, *engine.Error) bool // whether a query may go beyond the soft limit of the budget
	// Approve shows the person what a folder brings along, and returns whether it is to be trusted. Only a door that a person
	// looks at has it.
	Approve   func(context.Context, *trust.Review) (bool, error)
	Talks     *conversation.Talks // what was said before in its conversations
	Documents Documents           // that it has open
	Changed   func()              // hears that memory has changed
}

// Documents are what an editor has open.
type Documents interface {
	engine.Buffers                          // its texts of files that another editor has changed after it
	Encoding() text.Encoding                // the unit of columns
	Lines(path string) (*text.Lines, error) // the text of a file as the editor has it
	Texts() map[string][]byte               // all that it has open, by canonical path
	Folders() []string                      // of the workspace
	Recent() string                         // absolute path of the document that the person looks at; "" when that is not known
}

// caller is who asks, with what that one offers.
func (c *Call) caller() engine.Caller {
	return engine.Caller{Agent: c.Agent, Models: c.Models, Ask: c.Ask}
}

func (c *Call) changed() {
	if c.Changed != nil {
		c.Changed()
	}
}

// recalls fails for a durable caller when memory is not the one on disk; with change, when it can't be written there.
func (c *Call) recalls(change bool) error {
	if !c.Durable {
		return nil
	}
	return c.Engine.MemoryTrouble(change)
}

// readsJournal is recalls for the history and the costs of questions.
func (c *Call) readsJournal() error {
	if !c.Durable {
		return nil
	}
	return c.Engine.JournalTrouble()
}

// encoding is the unit of columns: LSP's own unless an editor agreed on another one.
func (c *Call) encoding() text.Encoding {
	if c.Documents == nil {
		return text.UTF16
	}
	return c.Documents.Encoding()
}

// own are the texts of the editor that asks, where they are not those of the index; nil for other callers.
func (c *Call) own() engine.Buffers {
	if c.Documents == nil {
		return nil
	}
	return c.Documents
}

// unsaved are the texts that the editor that asks has open, by absolute path; nil for other callers.
func (c *Call) unsaved() map[string][]byte {
	if c.Documents == nil {
		return nil
	}
	return c.Documents.Texts()
}

// seen makes the ranges of hits those of the editor that asks.
func (c *Call) seen(hits []engine.Hit) []engine.Hit {
	c.Engine.Seen(c.own(), hits)
	return hits
}

// lines indexes the present text of a file.
func (c *Call) lines(path string) (*text.Lines, error) {
	if c.Documents != nil {
		return c.Documents.Lines(path)
	}
	return IndexedLines(c.Engine, path)
}

// IndexedLines indexes the present text of a file as the index knows it: an editor's buffer, or the disk.
func IndexedLines(e *engine.Engine, path string) (*text.Lines, error) {
	content, err := e.Index().Text(path)
	if err != nil {
		return nil, &engine.Error{
			Kind: engine.NotIndexed, Message: fmt.Sprintf("%s can't be read", path), Detail: e.Index().Explain(path).Rule,
			Remedy: "open the file in the editor, or add its folder to the workspace", Err: err,
		}
	}
	return text.NewLines(content), nil
}

// selection converts a document and a range, both optional. Without a document it is nil; without a range it is the
// start of the document.
func (c *Call) selection(doc *Document, r *Range) (*engine.Selection, error) {
	if doc == nil {
		return nil, nil
	}
	path, err := RequirePath(doc.URI)
	if err != nil {
		return nil, err
	}
	selection := &engine.Selection{Path: path, Own: c.own()}
	if r == nil {
		return selection, nil
	}
	lines, err := c.lines(path)
	if err != nil {
		return nil, err
	}
	start, end, ok := ToOffsets(lines, *r, c.encoding())
	if !ok {
		return nil, Invalid("range", "must not be negative nor end before it starts")
	}
	selection.Start, selection.End = start, end
	return selection, nil
}

// place converts a document and a position, both required.
func (c *Call) place(doc *Document, p *Position) (engine.Place, error) {
	if doc == nil {
		return engine.Place{}, Invalid("textDocument", "is missing")
	}
	if p == nil {
		return engine.Place{}, Invalid("position", "is missing")
	}
	path, err := RequirePath(doc.URI)
	if err != nil {
		return engine.Place{}, err
	}
	lines, err := c.lines(path)
	if err != nil {
		return engine.Place{}, err
	}
	offset, ok := ToOffset(lines, *p, c.encoding())
	if !ok {
		return engine.Place{}, Invalid("position", "must not be negative")
	}
	return engine.Place{Path: path, Offset: offset, Own: c.own()}, nil
}

// paths finds the absolute paths of what a caller names.
func (c *Call) paths(names []string) []string {
	var paths []string
	for _, name := range names {
		paths = append(paths, c.path(name))
	}
	return paths
}

// path finds the absolute path of a file URI, an absolute path, or one relative to the first workspace folder that has
// it.
func (c *Call) path(name string) string {
	if strings.HasPrefix(name, "file:") {
		if path, ok := FilePath(name); ok {
			return path
		}
	}
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	folders := c.folders()
	for _, folder := range folders {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if _, err := os.Lstat(path); err == nil {
			return path
		}
	}
	if len(folders) > 0 {
		return filepath.Join(folders[0], filepath.FromSlash(name)) // gone from the disk, perhaps not from the index
	}
	return name
}

func (c *Call) folders() []string {
	if c.Documents != nil {
		return c.Documents.Folders()
	}
	return c.Engine.Index().Folders()
}

// from is the absolute path that the person is at.
func (c *Call) from(named string) string {
	if c.Documents == nil {
		return named
	}
	return cmp.Or(named, c.Documents.Recent())
}

// FilePath is the absolute path of a file URI. ok is false for other schemes and for relative paths.
func FilePath(raw string) (path string, ok bool) {
	u, err := uri.ParseStrict(raw) // Parse makes a file of everything without a scheme
	if err != nil || !u.IsFile() {
		return "", false
	}
	path = filepath.Clean(u.FsPath())
	return path, filepath.IsAbs(path)
}

// RequirePath is FilePath for requests, where a wrong URI is an error of the client.
func RequirePath(raw string) (string, error) {
	if raw == "" {
		return "", Invalid("textDocument.uri", "is missing")
	}
	path, ok := FilePath(raw)
	if !ok {
		return "", Invalid("textDocument.uri", fmt.Sprintf("%.200q is not the URI of a file", raw))
	}
	return path, nil
}
