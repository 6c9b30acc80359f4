package server

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A document is an open buffer at one moment. It is immutable, so that a request keeps the text it started with.
type document struct {
	path     string // absolute
	language string
	version  int32 // 0 when the client doesn't count
	text     []byte

	// lost tells that an edit could not be applied: text is the last good one, and edits are dropped until the
	// client sends a whole text or the file is saved.
	lost bool

	lines  func() *text.Lines               // indexed when first asked for
	parsed func(x *index.Index) *index.File // cut into chunks when first asked for
}

// parse returns what cuts a text into chunks, once.
func parse(path, language string, version int32, content []byte) func(*index.Index) *index.File {
	var once sync.Once
	var file *index.File
	return func(x *index.Index) *index.File {
		once.Do(func() { file = index.FileWith(x, path, language, version, content) })
		return file
	}
}

func newDocument(path, language string, version int32, content []byte) *document {
	return &document{
		path: path, language: language, version: version, text: content,
		lines:  sync.OnceValue(func() *text.Lines { return text.NewLines(content) }),
		parsed: parse(path, language, version, content),
	}
}

// errLost is the reason for dropping edits to a document that was lost before.
var errLost = errors.New("an earlier edit could not be applied; waiting for a whole text or a save")

// apply returns the document after the changes of one notification. edits lead from the old text to the new one;
// they are nil when the text was replaced as a whole. When a change makes no sense, the rest is skipped up to the
// next whole text, and without one the error tells why and the document is the old one, lost.
func (d *document) apply(version int32, changes []contentChange, enc text.Encoding) (
	_ *document, edits []index.Edit, err error,
) {
	if d.lost {
		err = errLost
	} else if version != 0 && version <= d.version {
		err = fmt.Errorf("version %d follows version %d", version, d.version)
	}
	e := editor{lines: d.lines, text: d.text, enc: enc, edits: []index.Edit{}}
	for i, change := range changes {
		switch {
		case change.Range == nil:
			e.replaceAll([]byte(change.Text))
			err = nil
		case err == nil:
			if failed := e.replace(*change.Range, []byte(change.Text)); failed != nil {
				err = fmt.Errorf("contentChanges[%d]: %w", i, failed)
			}
		}
	}
	if err != nil {
		lost := *d
		lost.lost = true
		return &lost, nil, err
	}
	return newDocument(d.path, d.language, version, e.text), e.edits, nil
}

// An editor applies changes one after the other.
type editor struct {
	text  []byte
	lines func() *text.Lines // of text
	owned bool               // text may be changed in place
	enc   text.Encoding
	edits []index.Edit // nil once the whole text was replaced
}

func (e *editor) replaceAll(content []byte) {
	e.text, e.owned, e.edits = content, true, nil
	e.reindex()
}

func (e *editor) replace(r api.Range, content []byte) error {
	start, end, ok := api.ToOffsets(e.lines(), r, e.enc)
	if !ok {
		return fmt.Errorf("impossible range %d:%d-%d:%d", r.Start.Line, r.Start.Character, r.End.Line, r.End.Character)
	}
	if e.owned {
		e.text = slices.Replace(e.text, start, end, content...)
	} else {
		e.text = bytes.Join([][]byte{e.text[:start], content, e.text[end:]}, nil)
		e.owned = true
	}
	if e.edits != nil {
		e.edits = append(e.edits, index.Edit{Start: start, OldEnd: end, New: content})
	}
	e.reindex()
	return nil
}

// reindex makes the next change find its lines in the present text. The index is only made when there is one.
func (e *editor) reindex() {
	content := e.text
	e.lines = sync.OnceValue(func() *text.Lines { return text.NewLines(content) })
}

// documents are the open ones of a session.
type documents struct {
	mu   sync.RWMutex
	open map[string]*document // by path
}

func (d *documents) get(path string) *document {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.open[path]
}

// at returns the open document that is the file at a canonical path, nil when there is none.
func (d *documents) at(abs string) *document {
	if doc := d.get(abs); doc != nil {
		return doc
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	for path, doc := range d.open {
		if vfs.Canonical(path) == abs {
			return doc
		}
	}
	return nil
}

func (d *documents) put(doc *document) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil {
		d.open = map[string]*document{}
	}
	d.open[doc.path] = doc
}

func (d *documents) remove(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, path)
}

func (d *documents) paths() []string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	paths := make([]string, 0, len(d.open))
	for path := range d.open {
		paths = append(paths, path)
	}
	return paths
}
