package api

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/agents"
	"github.com/aurora-sidecar/aurora/internal/workload"
)

// AgentsParams are the parameters of aurora/agents.
type AgentsParams struct {
	Refresh bool `json:"refresh,omitempty"` // read every definition again first
}

// AgentsResult is the result of aurora/agents.
type AgentsResult struct {
	Agents          []Agent  `json:"agents"`
	DiscoveredPaths []string `json:"discoveredPaths"` // where agents were found
	Fallback        string   `json:"fallback"`        // llm_only, ask: what happens without agents
	Untrusted       []string `json:"untrusted"`       // workspace folders whose agents wait for the user's trust
	Problems        []string `json:"problems"`        // what is wrong with definitions
	Warnings        []string `json:"warnings"`        // of the problems, those in spite of which the agent is used
}

// An Agent is what subgoals of a question can go to.
type Agent struct {
	ID          string `json:"id"`
	Type        string `json:"type"` // builtin, executable, http, mcp
	Description string `json:"description,omitempty"`
	AgentRunner
	Capabilities []string `json:"capabilities"`
	Domains      []string `json:"domains"`
	Availability string   `json:"availability"` // always, depends_on_network
	SuccessRate  float64  `json:"successRate"`  // 0..1
	Runs         int      `json:"runs"`         // that successRate rests on, besides the declaration
	LastRefresh  string   `json:"lastRefresh,omitempty"`
	Origin       string   `json:"origin"` // aurora, project, user
	Source       string   `json:"source,omitempty"`
	Ready        bool     `json:"ready"`
	Problem      string   `json:"problem,omitempty"` // why it is not ready
}

// An AgentRunner is what runs an agent: a program, an endpoint, or a tool of an MCP server.
type AgentRunner struct {
	Path     string   `json:"path,omitempty"`
	Args     []string `json:"args,omitempty"`
	Endpoint string   `json:"endpoint,omitempty"`
	Tool     string   `json:"tool,omitempty"`

	Env            []string `json:"env,omitempty"`       // names of variables that a program gets, besides the usual ones
	KeyEnv         string   `json:"apiKeyEnv,omitempty"` // the variable with the key of an endpoint
	TimeoutSeconds int      `json:"timeoutSeconds,omitempty"`
	Sandbox        bool     `json:"sandbox,omitempty"` // the program runs in the sandbox or not at all
}

// fromListing converts a listing of agents.
func fromListing(l *agents.Listing) *AgentsResult {
	r := &AgentsResult{Agents: []Agent{}, DiscoveredPaths: []string{}, Fallback: l.Fallback, Untrusted: list(l.Untrusted()), Problems: []string{}, Warnings: []string{}}
	for i := range l.Agents {
		d := &l.Agents[i]
		a := Agent{
			ID: d.ID, Type: d.Type, Description: d.Description, AgentRunner: AgentRunner{Path: d.Path, Args: d.Args, Endpoint: d.Endpoint, Tool: d.Tool, Env: d.Env, KeyEnv: d.KeyEnv, TimeoutSeconds: d.TimeoutSeconds, Sandbox: d.Sandbox}, Capabilities: list(d.Capabilities),
			Domains: list(d.Domains), Availability: d.Availability, SuccessRate: finite(d.SuccessRate), Runs: d.Runs, Origin: d.Origin, Source: d.Source,
			Ready: d.Ready, Problem: d.Problem,
		}
		if !d.LastRefresh.IsZero() {
			a.LastRefresh = timestamp(d.LastRefresh)
		}
		r.Agents = append(r.Agents, a)
	}
	for _, p := range l.Paths {
		if p.Agents > 0 {
			r.DiscoveredPaths = append(r.DiscoveredPaths, p.Path)
		}
	}
	for _, p := range l.Problems {
		r.Problems = append(r.Problems, p.String())
		if p.Warning {
			r.Warnings = append(r.Warnings, p.String())
		}
	}
	return r
}

// AskParams are the parameters of aurora/ask, a request to the client: a question that an agent puts to the person.
type AskParams struct {
	QueryID  string   `json:"queryId"`
	AgentID  string   `json:"agentId"`
	Question string   `json:"question"`
	Choices  []string `json:"choices,omitempty"` // absent lets the person write
	Default  string   `json:"default,omitempty"`
}

// AskResult is the result of aurora/ask.
type AskResult struct {
	Answer    string `json:"answer,omitempty"`
	Cancelled bool   `json:"cancelled,omitempty"`
}

// FromQuestion converts a question.
func FromQuestion(q engine.Question) AskParams {
	return AskParams{QueryID: q.QueryID, AgentID: q.AgentID, Question: q.Text, Choices: q.Choices, Default: q.Default}
}

// TrustParams are the parameters of aurora/trust. With trusted true the server asks the person itself, by
// window/showMessageRequest, showing what the folder brings along; the request is answered after the person has.
type TrustParams struct {
	Folder  string `json:"folder,omitempty"`  // URI of a workspace folder; absent means all
	Trusted *bool  `json:"trusted,omitempty"` // absent changes nothing
}

// TrustResult is the result of aurora/trust.
type TrustResult struct {
	Folders []TrustedFolder `json:"folders"`
}

// A TrustedFolder says whether the configuration and the agents that a workspace folder brings along count.
type TrustedFolder struct {
	Path    string `json:"path"`
	Trusted bool   `json:"trusted"`
	Changed bool   `json:"changed,omitempty"` // by this request
	// Waits are the settings, agents and servers that it brings along and that the person has not approved as they are.
	Waits []string `json:"waits"`
}

// fromTrust converts the trust in folders.
func fromTrust(folders []engine.FolderTrust) *TrustResult {
	r := &TrustResult{Folders: []TrustedFolder{}}
	for _, f := range folders {
		t := TrustedFolder{Path: f.Folder, Trusted: f.Trusted, Changed: f.Changed, Waits: []string{}}
		for _, change := range f.Waits {
			t.Waits = append(t.Waits, change.String())
		}
		r.Folders = append(r.Folders, t)
	}
	return r
}

// Agents lists who can work on subgoals.
var Agents = Define(Operation{
	Name: "agents", Title: "Agents", Doors: LSP | HTTP,
	Doc: "List the agents that subgoals of a question can go to.",
}, func(ctx context.Context, c *Call, p *AgentsParams) (*AgentsResult, error) {
	l, err := c.Engine.Agents(ctx, p.Refresh)
	if err != nil {
		return nil, err
	}
	return fromListing(l), nil
})

// Trust says whose configuration and agents count. It is for editors alone, by which the person is asked.
var Trust = Define(Operation{
	Name: "trust", Title: "Trust", Doors: LSP, Effect: Adds, Class: workload.Waiting,
	Doc: "List the workspace folders that are trusted to run programs and send data elsewhere, or change that.",
}, func(ctx context.Context, c *Call, p *TrustParams) (*TrustResult, error) {
	folder := ""
	if p.Folder != "" {
		path, ok := FilePath(p.Folder)
		if !ok {
			return nil, Invalid("folder", fmt.Sprintf("%.200q is no file URI", p.Folder))
		}
		folder = path
	}
	folders, err := c.Engine.Trust(ctx, folder, p.Trusted, c.Approve)
	if err != nil {
		return nil, err
	}
	return fromTrust(folders), nil
})
