package agents

import (
	"github.com/aurora-sidecar/aurora/engine/agents"
	"github.com/aurora-sidecar/aurora/engine/headless"
)

// Results are what the commands print with --json, by command: the types of which JSON Schemas are made.
var Results = map[string]any{
	"agents list":   agents.Listing{},
	"agents show":   agents.Definition{},
	"headless":      headless.Status{},
	"mcp install":   []ClientChange{},
	"mcp uninstall": []ClientChange{},
	"trust":         trustJSON{},
}
