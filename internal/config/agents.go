package config

// Agents are what subgoals of a question can go to, besides the agents that are part of the program.
type Agents struct {
	// Whether agents are looked for at all.
	AutoDiscover bool `json:"auto_discover" scope:"user"`
	// Where agents are looked for, in this order: folders of Markdown files, and registry files in JSON. What begins with
	// neither "/" nor "~/" lies in the workspace, and counts there once the workspace is trusted.
	DiscoveryPaths []string `json:"discovery_paths" scope:"user"`
	// MCP configurations, such as ./.mcp.json and ~/.claude.json, whose servers are started by a refresh to tell their
	// tools. Tools that only read, and take a task in words, become agents.
	MCPConfigs []string `json:"mcp_configs" scope:"user"`
	// After how many days everything is read anew, the tools of MCP servers included; 0 means never.
	RefreshIntervalDays int `json:"refresh_interval_days" min:"0" max:"3650" scope:"user"`
	// Whether modification times are looked at before each question, so that a changed file counts at once.
	CheckFileModified bool `json:"check_file_modified" scope:"user"`
	// Whether the first question of a process reads everything anew.
	RefreshOnStartup bool `json:"refresh_on_startup" scope:"user"`
	// What happens where no agent is found: llm_only has the model work on every subgoal; ask asks you first.
	FallbackMode string `json:"fallback_mode" oneof:"llm_only,ask" scope:"user"`
	// Whether "aurora agents", in a terminal, asks for a path when it finds none for the first time.
	PromptForPathIfMissing bool `json:"prompt_for_path_if_missing" scope:"user"`
	// How many seconds an agent may take for one subgoal, without the time that you take to answer its questions.
	TimeoutSeconds int `json:"timeout_seconds" min:"1" max:"3600" scope:"user"`
	// How many KiB an agent's answer may have.
	MaxOutputKB int `json:"max_output_kb" min:"1" max:"65536" scope:"user"`
	// How many agents outside of AURORA run at a time, over all questions.
	MaxRunning int `json:"max_running" min:"1" max:"256" scope:"user"`
	// The agent that works on subgoals where no agent is found.
	DefaultAgent DefaultAgent `json:"default_agent"`
}

// DefaultAgent is a definition for the model: what it can do, and what it is told. As it stands it is the built-in
// llm-executor.
type DefaultAgent struct {
	// Its id. llm-executor is the model as it is.
	ID string `json:"id" scope:"user"`
	// What it can do; "all" for everything.
	Capabilities []string `json:"capabilities" scope:"user"`
	// What it knows about.
	Domains []string `json:"domains" scope:"user"`
	// What the model is told that works in its place.
	Instructions string `json:"instructions" scope:"user"`
}

func defaultAgents() Agents {
	return Agents{
		AutoDiscover: true,
		DiscoveryPaths: []string{
			"./.aurora/agents.json", "./.claude/agents", "./agents", "./droids", "./agent",
			"~/.aurora/agents.json", "~/.claude/agents", "~/.config/amp/agents", "~/.factory/droids", "~/.config/opencode/agent",
		},
		MCPConfigs: []string{}, RefreshIntervalDays: 15, CheckFileModified: true, FallbackMode: "llm_only", PromptForPathIfMissing: true,
		DefaultAgent:   DefaultAgent{ID: "llm-executor", Capabilities: []string{"all"}, Domains: []string{"general"}},
		TimeoutSeconds: 120, MaxOutputKB: 1024, MaxRunning: 8,
	}
}
