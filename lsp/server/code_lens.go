package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/lsp/protocol"
	lsp "go.lsp.dev/protocol"
)

// lensData is what codeLens/resolve needs to know.
type lensData struct {
	URI string `json:"uri"`
}

// codeLens lists a lens for each definition, without its text: that is asked for those in sight only.
func (s *session) codeLens(ctx context.Context, p *lsp.CodeLensParams) (any, error) {
	path, err := requirePath(string(p.TextDocument.URI))
	if err != nil {
		return nil, err
	}
	lenses := []lsp.CodeLens{}
	if !s.features().CodeLens {
		return lenses, nil
	}
	outline, err := s.engine.Outline(ctx, path)
	if err != nil {
		return nil, err
	}
	data, err := encode(lensData{URI: string(p.TextDocument.URI)})
	if err != nil {
		return nil, err
	}
	for i := range outline {
		if h := &outline[i]; h.Type == "function" || h.Type == "method" || h.Type == "class" {
			lenses = append(lenses, lsp.CodeLens{Range: toLSPRange(protocol.FromRange(*h.NameRange, s.encoding())), Data: lsp.LSPAny(data)})
		}
	}
	return lenses, nil
}

// resolveCodeLens fills in the text of a lens, and the command that lists what it counts.
func (s *session) resolveCodeLens(ctx context.Context, lens *lsp.CodeLens) (any, error) {
	var data lensData
	if err := protocol.Decode([]byte(lens.Data), &data); err != nil || data.URI == "" {
		return nil, protocol.InvalidParams("data", "is not what textDocument/codeLens returned")
	}
	path, err := requirePath(data.URI)
	if err != nil {
		return nil, err
	}
	lens.Command = lsp.Command{Title: "AURORA"}
	lines, err := s.lines(path)
	if err != nil {
		return lens, nil // the file went while the lens was shown
	}
	offset, ok := protocol.ToOffset(lines, fromLSPPosition(lens.Range.Start), s.encoding())
	if !ok {
		return nil, protocol.InvalidParams("range", "must not be negative")
	}
	title, err := s.engine.Lens(ctx, engine.Place{Path: path, Offset: offset})
	if err != nil {
		return nil, err
	}
	if title == "" {
		return lens, nil
	}
	argument, err := encode(map[string]any{
		"textDocument": protocol.Document{URI: data.URI}, "position": fromLSPPosition(lens.Range.Start), "direction": "all", "show": true,
	})
	if err != nil {
		return nil, err
	}
	lens.Command = lsp.Command{Title: title, Command: protocol.CommandPrefix + "related", Arguments: []lsp.LSPAny{lsp.LSPAny(argument)}}
	return lens, nil
}

// documentSymbol lists the definitions of a file, each in the one around it.
func (s *session) documentSymbol(ctx context.Context, p *lsp.DocumentSymbolParams) (any, error) {
	path, err := requirePath(string(p.TextDocument.URI))
	if err != nil {
		return nil, err
	}
	symbols := []object{}
	if !s.features().DocumentSymbol {
		return symbols, nil
	}
	outline, err := s.engine.Outline(ctx, path)
	if err != nil {
		return nil, err
	}
	for i := range outline {
		h := &outline[i]
		around, name := protocol.FromRange(*h.Range, s.encoding()), protocol.FromRange(*h.NameRange, s.encoding())
		if h.Above > 0 { // LSP wants the comment to be part of a symbol
			around.Start = protocol.Position{Line: h.FirstLine()}
		}
		symbol := object{"name": h.Name, "kind": symbolKind(h), "range": around, "selectionRange": name}
		if h.Signature != "" {
			symbol["detail"] = h.Signature
		}
		symbols = append(symbols, symbol)
	}
	return symbols, nil
}
