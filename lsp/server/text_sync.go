package server

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// openDocuments are the documents that the client has open.
type openDocuments struct {
	*peer
	hub    *Hub
	engine *engine.Engine
	config *configuration

	saved func() // is told of saves

	docs   documents
	edited edited
	recent atomic.Pointer[string] // the path of the document that was opened or changed last
}

// Lines implements api.Documents: the client's own buffer, else that of another client or the disk.
func (d *openDocuments) Lines(path string) (*text.Lines, error) {
	if doc := d.docs.get(path); doc != nil {
		return doc.lines(), nil
	}
	return api.IndexedLines(d.engine, path)
}

// File implements api.Documents: the client's own text of a file, when the index has that of another client.
func (d *openDocuments) File(abs string) (*index.File, bool) {
	owner := d.hub.ownerOf(abs)
	if owner == nil || owner == d {
		return nil, false
	}
	doc := d.docs.at(abs)
	if doc == nil {
		return nil, false
	}
	return doc.parsed(d.engine.Index()), true
}

// Texts implements api.Documents.
func (d *openDocuments) Texts() map[string][]byte {
	texts := map[string][]byte{}
	for _, path := range d.docs.paths() {
		if doc := d.docs.get(path); doc != nil {
			texts[vfs.Canonical(path)] = doc.text
		}
	}
	return texts
}

// Recent implements api.Documents: the document that the person most likely looks at, "" before any was opened.
func (d *openDocuments) Recent() string {
	if path := d.recent.Load(); path != nil {
		return *path
	}
	return ""
}

// didOpen puts the buffer over the file. Documents that are no files (untitled:, git:) are left alone.
func (d *openDocuments) didOpen(_ context.Context, p *didOpenParams) error {
	path, ok := api.FilePath(p.TextDocument.URI)
	if !ok {
		return nil
	}
	doc := newDocument(path, p.TextDocument.LanguageID, p.TextDocument.Version, []byte(p.TextDocument.Text))
	d.recent.Store(&path)
	d.docs.put(doc)
	d.hub.opened(d, doc)
	return nil
}

// didChange applies edits in order. Edits that make no sense leave the last good text in place.
func (d *openDocuments) didChange(_ context.Context, params json.RawMessage) error {
	var p didChangeParams
	decodeErr := api.Decode(params, &p)
	if decodeErr != nil {
		p.ContentChanges = nil
	}
	path, ok := api.FilePath(p.TextDocument.URI)
	if !ok {
		return decodeErr
	}
	doc := d.docs.get(path)
	switch {
	case doc == nil:
		return fmt.Errorf("change of %s, which is not open", path)
	case decodeErr != nil:
		lost := *doc
		lost.lost = true
		d.docs.put(&lost)
		return fmt.Errorf("keep the last good text of %s: %w", path, decodeErr)
	case len(p.ContentChanges) == 0:
		return nil // Neovim 0.7 sends such ones, with the version before
	}
	next, edits, err := doc.apply(p.TextDocument.Version, p.ContentChanges, d.Encoding())
	d.docs.put(next)
	if err != nil {
		return fmt.Errorf("keep the last good text of %s: %w", path, err)
	}
	d.edited.note(path, edits)
	d.hub.changed(d, next, edits)
	return nil
}

// didSave tells the index and memory, and takes the file as the truth when edits were lost.
func (d *openDocuments) didSave(_ context.Context, p *didSaveParams) error {
	path, ok := api.FilePath(p.TextDocument.URI)
	if !ok {
		return nil
	}
	defer d.saved()
	defer d.engine.Index().Saved(path)
	d.config.rereadSettings(path)
	d.useEdited(path)
	doc := d.docs.get(path)
	if doc == nil || !doc.lost {
		return nil
	}
	saved, err := savedText(path, p.Text)
	if err != nil {
		return fmt.Errorf("resynchronise %s: %w", path, err)
	}
	found := newDocument(path, doc.language, doc.version, saved)
	d.docs.put(found)
	d.hub.changed(d, found, nil)
	d.log.Info("document resynchronised by its save", "path", path)
	return nil
}

func savedText(path string, sent *string) ([]byte, error) {
	if sent != nil {
		return []byte(*sent), nil
	}
	return os.ReadFile(path)
}

func (d *openDocuments) didClose(_ context.Context, p *didCloseParams) error {
	path, ok := api.FilePath(p.TextDocument.URI)
	if !ok || d.docs.get(path) == nil {
		return nil
	}
	d.docs.remove(path)
	d.edited.take(path)
	d.hub.closed(d, path)
	return nil
}
