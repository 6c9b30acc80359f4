package index

import (
	"github.com/aurora-sidecar/aurora/internal/api"
)

// Results are what the commands print with --json, by command: the types of which JSON Schemas are made.
var Results = map[string]any{
	"index":         summary{},
	"index check":   api.IndexCheck{},
	"index list":    []api.IndexedFile{},
	"index rebuild": api.Job{},

	"index --embeddings":      api.EmbedResult{},
	"index check <file>":      []api.ExplainedFile{},
	"index check --secrets":   api.SecretsResult{},
	"index list --languages":  []api.LanguageCount{},
	"index rebuild --dry-run": api.RebuildResult{},
}
