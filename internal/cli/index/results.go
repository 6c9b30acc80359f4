package index

import (
	"github.com/aurora-sidecar/aurora/internal/api"
)

// Results are what the commands print with --json, by command: the types of which JSON Schemas are made.
var Results = map[string]any{
	"index":         summary{},
	"index check":   validation{},
	"index list":    []api.IndexedFile{},
	"index rebuild": api.Job{},

	"index --embeddings":      embeddingCounts{},
	"index check <file>":      []checkedFile{},
	"index check --secrets":   secretsReport{},
	"index list --languages":  []api.LanguageCount{},
	"index rebuild --dry-run": api.RebuildResult{},
}
