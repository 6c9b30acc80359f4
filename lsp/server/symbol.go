package server

import (
	"context"
	"encoding/json"
	"path"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
	lsp "go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

const (
	symbolLimit = 100 // symbols in one answer
	symbolBatch = 25  // symbols in one partial result
)

// workspaceSymbol searches by name first: some editors drop what does not look like the typed text.
func (f *codeFeatures) workspaceSymbol(ctx context.Context, p *lsp.WorkspaceSymbolParams) (any, error) {
	result, err := f.engine.Symbols(ctx, p.Query, symbolLimit)
	if err != nil {
		return nil, err
	}
	symbols := lsp.WorkspaceSymbolSlice{}
	for i := range result.Hits {
		if f.client.Load().servesElsewhere(result.Hits[i].Language) {
			continue
		}
		if symbol, ok := toSymbol(&result.Hits[i], f.Encoding()); ok {
			symbols = append(symbols, symbol)
		}
	}
	if p.PartialResultToken == nil {
		return symbols, nil
	}
	for len(symbols) > 0 {
		n := min(symbolBatch, len(symbols))
		if err := f.sendPartial(ctx, p.PartialResultToken, symbols[:n]); err != nil {
			return nil, err
		}
		symbols = symbols[n:]
	}
	return symbols, nil // all of it was sent
}

func (f *codeFeatures) sendPartial(ctx context.Context, token lsp.ProgressToken, symbols lsp.WorkspaceSymbolSlice) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	raw, err := lsp.Marshal(symbols)
	if err != nil {
		return err
	}
	return f.conn.Client().Progress(ctx, &lsp.ProgressParams{Token: token, Value: raw})
}

// symbolData is what workspaceSymbol/resolve needs to find a symbol again.
type symbolData struct {
	ID string `json:"id"`
}

// toSymbol converts a hit. Memory records without a place can't be jumped to and are left to aurora/search.
func toSymbol(h *engine.Hit, enc text.Encoding) (lsp.WorkspaceSymbol, bool) {
	place := h.NameRange
	if place == nil {
		place = h.Range
	}
	if h.Abs == "" || place == nil {
		return lsp.WorkspaceSymbol{}, false
	}
	name := h.Name
	if name == "" {
		name = path.Base(h.Path)
	}
	container := h.Container
	if container == "" {
		container = h.Path
	}
	data, _ := json.Marshal(symbolData{ID: h.ID}) // a string always marshals
	return lsp.WorkspaceSymbol{
		BaseSymbolInformation: lsp.BaseSymbolInformation{Name: name, Kind: symbolKind(h), ContainerName: &container},
		Location: &lsp.Location{
			URI: uri.URI(api.FileURI(h.Abs)), Range: toLSPRange(api.FromRange(*place, enc)),
		},
		Data: data,
	}, true
}

func symbolKind(h *engine.Hit) lsp.SymbolKind {
	switch {
	case h.Type == "function":
		return lsp.SymbolKindFunction
	case h.Type == "method":
		return lsp.SymbolKindMethod
	case h.Type == "class":
		return lsp.SymbolKindClass
	case h.Kind == "MARKDOWN_SECTION":
		return lsp.SymbolKindString
	}
	return lsp.SymbolKindFile
}

// resolveWorkspaceSymbol brings a symbol's place up to date; one that is gone stays as it was.
func (f *codeFeatures) resolveWorkspaceSymbol(_ context.Context, symbol *lsp.WorkspaceSymbol) (any, error) {
	var data symbolData
	if len(symbol.Data) == 0 || json.Unmarshal(symbol.Data, &data) != nil {
		return symbol, nil
	}
	ref, ok := f.engine.Index().Snapshot().ByID(data.ID)
	if !ok {
		return symbol, nil
	}
	content, fresh, ok := f.engine.Index().Read(ref)
	if !ok {
		return symbol, nil
	}
	span := fresh.Chunk().NameSpan
	if span.Empty() {
		span = fresh.Chunk().Span
	}
	place := api.FromOffsets(text.NewLines(content), span.Start, span.End, f.Encoding())
	symbol.Location = &lsp.Location{URI: uri.URI(api.FileURI(fresh.File.Abs)), Range: toLSPRange(place)}
	return symbol, nil
}
