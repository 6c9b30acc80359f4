package server

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/codeintel"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
	lsp "go.lsp.dev/protocol"
)

// documentSymbol lists all that has a name in a file, each thing below what is around it.
func (f *codeFeatures) documentSymbol(ctx context.Context, p *lsp.DocumentSymbolParams) (any, error) {
	path, ok, err := documentPath(p.TextDocument.URI)
	if err != nil || !ok {
		return nil, err // documents that are no files (untitled:, git:) are somebody else's
	}
	if !f.config.features().DocumentSymbol {
		return []object{}, nil
	}
	tree, err := f.engine.Code().SymbolTree(ctx, engine.Place{Path: path, Own: f.docs})
	if err != nil {
		return nil, err
	}
	return documentSymbols(tree, f.Encoding()), nil
}

func documentSymbols(list []*codeintel.NamedThing, enc text.Encoding) []object {
	symbols := make([]object, 0, len(list))
	for _, t := range list {
		symbol := object{
			"name": t.Name, "kind": symbolKind(t.Type, t.Kind, t.Name, t.Container, t.Signature),
			"range": api.FromRange(t.Range, enc), "selectionRange": api.FromRange(t.NameRange, enc),
		}
		if t.Signature != "" {
			symbol["detail"] = t.Signature
		}
		if len(t.Children) > 0 {
			symbol["children"] = documentSymbols(t.Children, enc)
		}
		symbols = append(symbols, symbol)
	}
	return symbols
}
