package ask

import (
	"github.com/aurora-sidecar/aurora/engine/reason/replay"
	"github.com/aurora-sidecar/aurora/internal/api"
)

// Results are what the commands print with --json, by command: the types of which JSON Schemas are made.
var Results = map[string]any{
	"ask":     api.QueryResult{},
	"history": []api.HistoryEntry{},

	"dev assess":    api.AssessResult{},
	"dev decompose": decomposed{},
	"dev verify":    verified{},
	"history <id>":  replay.Record{},
}
