package agents

import (
	"github.com/aurora-sidecar/aurora/engine/headless"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/trust"
)

// Results are what the commands print with --json, by command: the types of which JSON Schemas are made.
var Results = map[string]any{
	"agents list": api.AgentsResult{},
	"agents run":  soar.Envelope{},
	"headless":    headless.Status{},
	"setup":       SetupResult{},
	"trust":       trustJSON{},

	"agents list --check": agentCheck{},
	"agents list <id>":    api.Agent{},
	"headless --init":     map[string]string{},
	"trust --list":        []trust.Folder{},
}
