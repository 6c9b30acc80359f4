package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
	lsp "go.lsp.dev/protocol"
)

// lensData is what codeLens/resolve needs to know.
type lensData struct {
	URI string `json:"uri"`
}

// codeLens lists a lens for each definition, without its text: that is asked for those in sight only.
func (f *codeFeatures) codeLens(ctx context.Context, p *lsp.CodeLensParams) (any, error) {
	path, ok, err := documentPath(p.TextDocument.URI)
	if err != nil || !ok {
		return nil, err // documents that are no files (untitled:, git:) are somebody else's
	}
	lenses := []lsp.CodeLens{}
	if !f.config.features().CodeLens {
		return lenses, nil
	}
	outline, err := f.engine.Code().Outline(ctx, engine.Place{Path: path, Own: f.docs})
	if err != nil {
		return nil, err
	}
	data, err := jsonrpc.Encode(lensData{URI: string(p.TextDocument.URI)})
	if err != nil {
		return nil, err
	}
	for i := range outline {
		if h := &outline[i]; h.Type == "function" || h.Type == "method" || h.Type == "class" {
			lenses = append(lenses, lsp.CodeLens{Range: toLSPRange(api.FromRange(*h.NameRange, f.Encoding())), Data: lsp.LSPAny(data)})
		}
	}
	return lenses, nil
}

// resolveCodeLens fills in the text of a lens, and the command that lists what it counts.
func (f *codeFeatures) resolveCodeLens(ctx context.Context, lens *lsp.CodeLens) (any, error) {
	var data lensData
	if err := api.Decode([]byte(lens.Data), &data); err != nil || data.URI == "" {
		return nil, api.Invalid("data", "is not what textDocument/codeLens returned")
	}
	path, err := api.RequirePath(data.URI)
	if err != nil {
		return nil, err
	}
	lens.Command = lsp.Command{Title: "AURORA"}
	lines, err := f.docs.Lines(path)
	if err != nil {
		return lens, nil // the file went while the lens was shown
	}
	offset, ok := api.ToOffset(lines, fromLSPPosition(lens.Range.Start), f.Encoding())
	if !ok {
		return nil, api.Invalid("range", "must not be negative")
	}
	title, err := f.engine.Code().Lens(ctx, engine.Place{Path: path, Offset: offset, Own: f.docs})
	if err != nil {
		return nil, err
	}
	if title == "" {
		return lens, nil
	}
	argument, err := jsonrpc.Encode(map[string]any{
		"textDocument": api.Document{URI: data.URI}, "position": fromLSPPosition(lens.Range.Start), "direction": "all", "show": true,
	})
	if err != nil {
		return nil, err
	}
	lens.Command = lsp.Command{Title: title, Command: api.CommandPrefix + "related", Arguments: []lsp.LSPAny{lsp.LSPAny(argument)}}
	return lens, nil
}
