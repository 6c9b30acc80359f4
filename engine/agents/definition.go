package agents

import (
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// The types of agents.
const (
	Builtin    = "builtin"    // AURORA's own, or the solving model with the instructions of a Markdown file
	Executable = "executable" // a program that reads a task from its input and writes its answer
	HTTP       = "http"       // an endpoint that a task is posted to
	MCP        = "mcp"        // a tool of an MCP server
)

// Where a definition comes from.
const (
	FromAurora  = "aurora"  // it is part of the program
	FromProject = "project" // a workspace folder brings it along
	FromUser    = "user"
)

// A Definition says what an agent is and how it is run.
type Definition struct {
	ID          string `json:"id"`
	Type        string `json:"type"`
	Description string `json:"description,omitempty"`
	Launch
	Capabilities []string  `json:"capabilities"`
	Domains      []string  `json:"domains"`
	Availability string    `json:"availability"` // always, depends_on_network
	SuccessRate  float64   `json:"success_rate"` // 0..1: as declared, then as seen
	Runs         int       `json:"runs"`         // that SuccessRate rests on, besides the declaration
	LastRefresh  time.Time `json:"last_refresh,omitzero"`
	Provenance
	Ready   bool   `json:"ready"`
	Problem string `json:"problem,omitempty"` // why it is not ready

	Instructions string `json:"-"` // of a Markdown file

	approved bool // by the user, as it is
}

// A Launch says how an agent is run; which of it counts depends on the agent's type.
type Launch struct {
	Path           string   `json:"path,omitempty"` // of the program, as it stands in the file
	Args           []string `json:"args,omitempty"`
	Endpoint       string   `json:"endpoint,omitempty"`
	Tool           string   `json:"tool,omitempty"`        // of the MCP server
	Env            []string `json:"env,omitempty"`         // names of variables that the program gets, besides the usual ones
	KeyEnv         string   `json:"api_key_env,omitempty"` // the variable with the key of the endpoint
	TimeoutSeconds int      `json:"timeout_seconds,omitempty"`
	Sandbox        bool     `json:"sandbox,omitempty"` // the program runs in the sandbox or not at all
}

// A Provenance says who defined an agent, which decides whether it is trusted.
type Provenance struct {
	Source string `json:"source,omitempty"` // the file; "" for built-in ones
	Origin string `json:"origin"`           // FromAurora, FromProject, FromUser
	Folder string `json:"folder,omitempty"` // the workspace folder of a project's own
}

// Card is what those who plan and route see of the agent.
func (d *Definition) Card() soar.Card {
	c := soar.Card{
		ID: d.ID, Type: d.Type, Path: d.Path, Capabilities: d.Capabilities, Domains: d.Domains,
		SuccessRate: d.SuccessRate, Description: d.Description,
	}
	if d.Path == "" {
		c.Path = d.Endpoint
	}
	return c
}

// builtins are the agents that are always there.
func builtins() []Definition {
	own := Definition{Type: Builtin, Domains: []string{"general"}, Availability: "always", SuccessRate: 1, Provenance: Provenance{Origin: FromAurora}, Ready: true}
	search, model := own, own
	search.ID, search.Capabilities = soar.BuiltinIDs()[0], []string{"code_search", "find_definitions", "find_usages"}
	search.Description = "answers from AURORA's own search, without a model"
	model.ID, model.Capabilities = soar.BuiltinIDs()[1], []string{"all"}
	model.Description = "has the configured model work on the subgoal from the sources"
	return []Definition{search, model}
}

func isBuiltin(id string) bool { return slices.Contains(soar.BuiltinIDs(), id) }

// A Problem is something that is wrong with a file of definitions.
type Problem struct {
	File    string `json:"file"`
	Agent   string `json:"agent,omitempty"` // id, or place in the file
	Message string `json:"message"`
	Warning bool   `json:"warning,omitempty"` // the agent is used all the same
}

func (p Problem) String() string {
	parts := []string{p.File, p.Agent, p.Message}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
}
