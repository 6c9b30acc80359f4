package search

import (
	"github.com/aurora-sidecar/aurora/internal/api"
)

// Results are what the commands print with --json, by command: the types of which JSON Schemas are made.
var Results = map[string]any{
	"context": api.ContextResult{},
	"mem":     api.SearchResult{},
	"related": api.RelatedResult{},
	"search":  api.SearchResult{},
}
