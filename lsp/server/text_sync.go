package server

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/aurora-sidecar/aurora/internal/api"
)

// didOpen puts the buffer over the file. Documents that are no files (untitled:, git:) are left alone.
func (s *session) didOpen(_ context.Context, p *didOpenParams) error {
	path, ok := api.FilePath(p.TextDocument.URI)
	if !ok {
		return nil
	}
	doc := newDocument(path, p.TextDocument.LanguageID, p.TextDocument.Version, []byte(p.TextDocument.Text))
	s.recent.Store(&path)
	s.docs.put(doc)
	s.hub.opened(s, doc)
	return nil
}

// didChange applies edits in order. Edits that make no sense leave the last good text in place.
func (s *session) didChange(_ context.Context, params json.RawMessage) error {
	var p didChangeParams
	decodeErr := api.Decode(params, &p)
	if decodeErr != nil {
		p.ContentChanges = nil
	}
	path, ok := api.FilePath(p.TextDocument.URI)
	if !ok {
		return decodeErr
	}
	doc := s.docs.get(path)
	switch {
	case doc == nil:
		return fmt.Errorf("change of %s, which is not open", path)
	case decodeErr != nil:
		lost := *doc
		lost.lost = true
		s.docs.put(&lost)
		return fmt.Errorf("keep the last good text of %s: %w", path, decodeErr)
	case len(p.ContentChanges) == 0:
		return nil // Neovim 0.7 sends such ones, with the version before
	}
	next, edits, err := doc.apply(p.TextDocument.Version, p.ContentChanges, s.Encoding())
	s.docs.put(next)
	if err != nil {
		return fmt.Errorf("keep the last good text of %s: %w", path, err)
	}
	s.edited.note(path, edits)
	s.hub.changed(s, next, edits)
	return nil
}

// didSave tells the index and memory, and takes the file as the truth when edits were lost.
func (s *session) didSave(_ context.Context, p *didSaveParams) error {
	path, ok := api.FilePath(p.TextDocument.URI)
	if !ok {
		return nil
	}
	defer s.index.Saved(path)
	s.config.rereadSettings(path)
	s.useEdited(path)
	doc := s.docs.get(path)
	if doc == nil || !doc.lost {
		return nil
	}
	saved, err := savedText(path, p.Text)
	if err != nil {
		return fmt.Errorf("resynchronise %s: %w", path, err)
	}
	found := newDocument(path, doc.language, doc.version, saved)
	s.docs.put(found)
	s.hub.changed(s, found, nil)
	s.log.Info("document resynchronised by its save", "path", path)
	return nil
}

func savedText(path string, sent *string) ([]byte, error) {
	if sent != nil {
		return []byte(*sent), nil
	}
	return os.ReadFile(path)
}

func (s *session) didClose(_ context.Context, p *didCloseParams) error {
	path, ok := api.FilePath(p.TextDocument.URI)
	if !ok || s.docs.get(path) == nil {
		return nil
	}
	s.docs.remove(path)
	s.edited.take(path)
	s.hub.closed(s, path)
	return nil
}
