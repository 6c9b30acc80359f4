package config

// Settings are all that can be set. A key is the JSON names joined by dots, such as search.limit; embedded structs only
// group fields. The tags say which values are allowed: min and max bound a number, oneof lists words, format says what a
// string must be. scope "user" keeps a project's own file from setting what would make AURORA write elsewhere or send
// data, until the user trusts the workspace; with scope "owner" it may not even then. page "yes" puts a key on the
// settings page of VS Code. docs/configuration.md is generated from this package.
//
// Paths are absolute once loaded; "~/" stands for the home folder.
type Settings struct {
	Workspace
	LSP LSP `json:"lsp"`
	Reasoning
	Records
	HTTP HTTP `json:"http"`

	origins     map[string]string // key to source; a key that is missing has its default
	formerPaths map[string]string // of removed keys, absolute
}

// Workspace groups the settings of indexing and search.
type Workspace struct {
	Index    Index    `json:"index"`
	Security Security `json:"security"`
	Search   Search   `json:"search"`
	Storage  Storage  `json:"storage"`
}

// Reasoning groups the settings of models, agents and what they may cost.
type Reasoning struct {
	LLM         LLM         `json:"llm"`
	Embeddings  Embeddings  `json:"embeddings"`
	CostBudgets CostBudgets `json:"cost_budgets"`
	Guardrails  Guardrails  `json:"guardrails"`
	Adaptive    Adaptive    `json:"adaptive"`
	Agents      Agents      `json:"agents"`
	Aurora      Aurora      `json:"aurora"`
	Signals     Signals     `json:"signals"`
	Headless    Headless    `json:"headless"`
}

// Records groups the settings of what is kept.
type Records struct {
	Memory    Memory    `json:"memory"`
	History   History   `json:"history"`
	Logging   Logging   `json:"logging"`
	Metrics   Metrics   `json:"metrics"`
	Reporting Reporting `json:"reporting"`
}

// Defaults returns the settings that hold when nothing is configured. home is AURORA's folder (see Home); when it is
// "", nothing is kept on disk.
func Defaults(home string) *Settings {
	return &Settings{
		Workspace: Workspace{
			Index: defaultIndex(), Security: Security{ScrubSecrets: true, SecretPatterns: []string{}},
			Search: defaultSearch(), Storage: Storage{Dir: below(home, "index")},
		},
		LSP: LSP{Hover: Switch{Enabled: true}, CodeActions: Switch{Enabled: true}, Daemon: Daemon{Enabled: true, IdleSeconds: 600}, Review: "off"},
		Reasoning: Reasoning{
			LLM: defaultLLM(), Embeddings: defaultEmbeddings(), CostBudgets: defaultBudgets(),
			Guardrails: Guardrails{MaxQueryLength: 10_000, PII: PII{Action: "redact"}},
			Adaptive:   Adaptive{TTLLimit: 120}, Agents: defaultAgents(),
			Aurora: Aurora{UserInvoked: true, Prefix: []string{"aur", "aurora:", "/aurora"}}, Signals: Signals{Enabled: true},
			Headless: Headless{Enabled: true, DefaultMaxIterations: 10, DefaultBudgetLimitUSD: 5, RequiredBranch: "headless"},
		},
		Records: Records{
			Memory: defaultMemory(home), History: History{Enabled: true, Keep: 200}, Logging: defaultLogging(home),
			Metrics: Metrics{Enabled: true}, Reporting: Reporting{Enabled: true, Dir: below(home, "reports")},
		},
		HTTP:    HTTP{Host: "localhost", Port: 9090},
		origins: map[string]string{}, formerPaths: map[string]string{},
	}
}

// FormerPath returns the absolute path that a removed key gave to files of the user, "" for none.
func (s *Settings) FormerPath(key string) string { return s.formerPaths[key] }

// Origin returns which layer set key: a file, an environment variable, "editor", "flag" or "default". It returns ""
// for a key that does not exist.
func (s *Settings) Origin(key string) string {
	if origin, ok := s.origins[key]; ok {
		return origin
	}
	if _, ok := keys[key]; ok {
		return "default"
	}
	return ""
}
