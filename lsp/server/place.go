package server

import (
	"fmt"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/aurora-sidecar/aurora/lsp/protocol"
	lsp "go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// filePath is the absolute path of a file URI. ok is false for other schemes and for relative paths.
func filePath(raw string) (path string, ok bool) {
	u, err := uri.ParseStrict(raw) // Parse makes a file of everything without a scheme
	if err != nil || !u.IsFile() {
		return "", false
	}
	path = filepath.Clean(u.FsPath())
	return path, filepath.IsAbs(path)
}

// requirePath is filePath for requests, where a wrong URI is an error of the client.
func requirePath(raw string) (string, error) {
	if raw == "" {
		return "", protocol.InvalidParams("textDocument.uri", "is missing")
	}
	path, ok := filePath(raw)
	if !ok {
		return "", protocol.InvalidParams("textDocument.uri", fmt.Sprintf("%.200q is not the URI of a file", raw))
	}
	return path, nil
}

// lines indexes the present text of a file: the client's own buffer, else that of another client or the disk.
func (s *session) lines(path string) (*text.Lines, error) {
	if doc := s.docs.get(path); doc != nil {
		return doc.lines(), nil
	}
	content, err := s.index.Text(path)
	if err != nil {
		rule := s.index.Explain(path).Rule
		return nil, &engine.Error{
			Kind: engine.NotIndexed, Message: fmt.Sprintf("%s can't be read", path), Detail: rule,
			Remedy: "open the file in the editor, or add its folder to the workspace", Err: err,
		}
	}
	return text.NewLines(content), nil
}

func (s *session) encoding() text.Encoding { return s.client.Load().encoding }

// selection converts a document and a range, both optional in most requests. Without a document it is nil; without
// a range it is the start of the document.
func (s *session) selection(doc *protocol.Document, r *protocol.Range) (*engine.Selection, error) {
	if doc == nil {
		return nil, nil
	}
	path, err := requirePath(doc.URI)
	if err != nil {
		return nil, err
	}
	selection := &engine.Selection{Path: path}
	if r == nil {
		return selection, nil
	}
	lines, err := s.lines(path)
	if err != nil {
		return nil, err
	}
	start, end, ok := protocol.ToOffsets(lines, *r, s.encoding())
	if !ok {
		return nil, protocol.InvalidParams("range", "must not be negative nor end before it starts")
	}
	selection.Start, selection.End = start, end
	return selection, nil
}

func fromLSPRange(r lsp.Range) protocol.Range {
	return protocol.Range{Start: fromLSPPosition(r.Start), End: fromLSPPosition(r.End)}
}

func fromLSPPosition(p lsp.Position) protocol.Position {
	return protocol.Position{Line: int(p.Line), Character: int(p.Character)}
}

func toLSPRange(r protocol.Range) lsp.Range {
	return lsp.Range{Start: toLSPPosition(r.Start), End: toLSPPosition(r.End)}
}

func toLSPPosition(p protocol.Position) lsp.Position {
	return lsp.Position{Line: uint32(p.Line), Character: uint32(p.Character)}
}
