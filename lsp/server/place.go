package server

import (
	"github.com/aurora-sidecar/aurora/internal/api"
	lsp "go.lsp.dev/protocol"
)

func fromLSPRange(r lsp.Range) api.Range {
	return api.Range{Start: fromLSPPosition(r.Start), End: fromLSPPosition(r.End)}
}

func fromLSPPosition(p lsp.Position) api.Position {
	return api.Position{Line: int(p.Line), Character: int(p.Character)}
}

func toLSPRange(r api.Range) lsp.Range {
	return lsp.Range{Start: toLSPPosition(r.Start), End: toLSPPosition(r.End)}
}

func toLSPPosition(p api.Position) lsp.Position {
	return lsp.Position{Line: uint32(p.Line), Character: uint32(p.Character)}
}
