package serve

import (
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// Results are what the commands print with --json, by command: the types of which JSON Schemas are made.
var Results = map[string]any{
	"daemon":      []daemon.Info{},
	"daemon list": []daemon.Info{},
	"daemon stop": map[string]int{},
	"dev debug":   map[string]string{},
}
