package server

import (
	"context"
	"errors"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/api"
	lsp "go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// codeFeatures are LSP's standard requests about code.
type codeFeatures struct {
	*peer
	engine      *engine.Engine
	docs        *openDocuments
	config      *configuration
	review      *reviewer
	hoverBudget time.Duration
}

// hover answers with a card or, fast, with null: an editor shows no server's hover until all have answered.
func (f *codeFeatures) hover(ctx context.Context, p *lsp.HoverParams) (any, error) {
	path, ok, err := documentPath(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if !ok || !f.config.features().Hover {
		return nil, nil // documents that are no files (untitled:, git:) are somebody else's
	}
	ctx, cancel := context.WithTimeout(ctx, f.hoverBudget)
	defer cancel()
	card := make(chan *lsp.Hover, 1)
	go func() { card <- f.card(ctx, path, fromLSPPosition(p.Position)) }()
	select {
	case hover := <-card:
		if hover == nil {
			return nil, nil
		}
		return hover, nil
	case <-ctx.Done():
		f.log.Debug("hover over budget", "path", path)
		return nil, nil
	}
}

// documentPath is the path of a document; ok is false for one that is no file, and the error for a missing address.
func documentPath(address uri.URI) (path string, ok bool, err error) {
	if address == "" {
		return "", false, api.Invalid("textDocument.uri", "is missing")
	}
	path, ok = api.FilePath(string(address))
	return path, ok, nil
}

// card returns nil when there is nothing to show, whatever the reason.
func (f *codeFeatures) card(ctx context.Context, path string, at api.Position) *lsp.Hover {
	defer f.containPanic("hover")
	lines, err := f.docs.Lines(path)
	if err != nil {
		return nil
	}
	offset, ok := api.ToOffset(lines, at, f.Encoding())
	if !ok {
		return nil
	}
	result, err := f.engine.Code().Hover(ctx, engine.Place{Path: path, Offset: offset, Own: f.docs})
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		f.log.Warn("hover", "path", path, "err", err)
	}
	if err != nil || result == nil {
		return nil
	}
	client, shown := f.client.Load(), result.Markdown
	if l := syntax.ByPath(path); l != nil && client.servesElsewhere(l.Name) {
		shown = result.Facts
	}
	if shown == "" {
		return nil
	}
	kind := lsp.MarkupKindMarkdown
	switch {
	case client.plainHover:
		kind, shown = lsp.MarkupKindPlainText, wording.Plain(shown)
	case client.hidesLinks:
		shown = wording.WithoutFileLinks(shown)
	}
	around := toLSPRange(api.FromOffsets(lines, result.Start, result.End, f.Encoding()))
	return &lsp.Hover{
		Contents: &lsp.MarkupContent{Kind: kind, Value: shown},
		Range:    &around,
	}
}
