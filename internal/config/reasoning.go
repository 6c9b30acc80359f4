package config

// Adaptive limits the work on a question that takes several passes.
// It needs a model.
type Adaptive struct {
	// Work in passes on every question of medium complexity and above; otherwise only on those that ask for it.
	Enabled bool `json:"enabled" scope:"user"`
	// Calls of models and agents that one question may take.
	TTLLimit int `json:"ttl_limit" min:"1" max:"10000" scope:"user"`
	// Calls per minute that the endpoint allows; a question then gets at most those of ten minutes. 0 means no limit.
	CallsPerMinute int `json:"calls_per_minute" min:"0" max:"100000" scope:"user"`
}

// Agents are other agents that subgoals of a question can be given to.
// Agents of a project count once the workspace is trusted.
type Agents struct {
	// Discover agents in the project and home folders.
	AutoDiscover bool `json:"auto_discover" scope:"user"`
	// Where to look for agents, in this order: folders of Markdown files, and registry files in JSON. Relative paths
	// belong to the workspace.
	DiscoveryPaths []string `json:"discovery_paths" scope:"user"`
	// MCP configurations, such as ./.mcp.json and ~/.claude.json. "aurora agents refresh" starts their servers to list
	// their tools; read-only tools that take a task in words become agents.
	MCPConfigs []string `json:"mcp_configs" scope:"user"`
	// Days after which agents are discovered again, including the tools of MCP servers; 0 means never.
	RefreshIntervalDays int `json:"refresh_interval_days" min:"0" max:"3650" scope:"user"`
	// What to do when no agent fits: llm_only lets the model work on every subgoal, ask asks you first.
	FallbackMode string `json:"fallback_mode" oneof:"llm_only,ask" scope:"user"`
	// Seconds that an agent may take for one subgoal, not counting the time that you take to answer its questions.
	TimeoutSeconds int `json:"timeout_seconds" min:"1" max:"3600" scope:"user"`
}

// Aurora says when a message of an MCP client is meant for AURORA.
// All other messages pass through untouched.
type Aurora struct {
	// Answer messages that begin with one of the prefixes.
	UserInvoked bool `json:"user_invoked"`
	// Answer every message, except short replies such as "thanks" and "yes".
	AlwaysOn bool `json:"always_on"`
	// Prefixes of such messages.
	Prefix []string `json:"prefix"`
}

// Signals recognize messages that comment on the answer before them, such as "thanks", "that's wrong" and "try again".
// Good answers are then remembered better, and wrong ones are worked on again.
type Signals struct {
	// Recognize such messages; otherwise every message is a question of its own.
	Enabled bool `json:"enabled"`
}

// Headless limits unattended work on a goal.
// It works in a branch of its own; main and master are never changed.
type Headless struct {
	// Allow "aurora headless".
	Enabled bool `json:"enabled" scope:"user"`
	// Iterations of a run.
	DefaultMaxIterations int `json:"default_max_iterations" min:"1" max:"1000" scope:"user"`
	// US dollars that an experiment may cost over all its runs; 0 means no limit.
	DefaultBudgetLimitUSD float64 `json:"default_budget_limit_usd" min:"0" max:"100000" scope:"user"`
	// Branch to work on.
	RequiredBranch string `json:"required_branch" scope:"user"`
}

func defaultAgents() Agents {
	return Agents{
		AutoDiscover: true,
		DiscoveryPaths: []string{
			"./.aurora/agents.json", "./.claude/agents", "./agents", "./droids", "./agent",
			"~/.aurora/agents.json", "~/.claude/agents", "~/.config/amp/agents", "~/.factory/droids", "~/.config/opencode/agent",
		},
		MCPConfigs: []string{}, RefreshIntervalDays: 15, FallbackMode: "llm_only", TimeoutSeconds: 120,
	}
}
