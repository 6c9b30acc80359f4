package config

// Settings are all that can be set. A key is the JSON names joined by dots, such as search.bm25.k1. The tags say
// which values are allowed: min and max bound a number, oneof lists words, and scope "user" keeps a project's own
// file from setting what would make AURORA write elsewhere or send data, until the user trusts the workspace.
//
// Paths are absolute once loaded; "~/" stands for the home folder.
type Settings struct {
	Index   Index   `json:"index"`
	Search  Search  `json:"search"`
	LSP     LSP     `json:"lsp"`
	Memory  Memory  `json:"memory"`
	Storage Storage `json:"storage"`
	Logging Logging `json:"logging"`
	LLM     LLM     `json:"llm"`

	CostBudgets CostBudgets `json:"cost_budgets"`
	Guardrails  Guardrails  `json:"guardrails"`
	Complexity  Complexity  `json:"complexity"`
	Scoring     Scoring     `json:"scoring"`

	origins map[string]string // key to source; a key that is missing has its default
}

// Index says what is indexed and how.
type Index struct {
	// Files larger than this many MiB are not indexed.
	MaxFileSizeMB int `json:"max_file_size_mb" min:"1" max:"1024"`
	// How many milliseconds file events are gathered before they are worked on.
	DebounceMs int `json:"debounce_ms" min:"0" max:"60000"`
	// How many files are read and parsed at once; 0 means one per core.
	Workers int `json:"workers" min:"0" max:"256"`
	// Patterns of files to leave out, written as in .gitignore, on top of the project's own.
	IgnorePatterns []string `json:"ignore_patterns"`
	Watcher        Watcher  `json:"watcher"`
}

// Watcher follows changes that other programs make to files.
type Watcher struct {
	Enabled bool `json:"enabled"`
}

// Search says how results are found and ranked.
type Search struct {
	BM25 BM25 `json:"bm25"`
	// How many results are returned when a request names no limit.
	Limit int `json:"limit" min:"1" max:"1000"`
}

// BM25 are the constants of the keyword score.
type BM25 struct {
	// How much repetitions of a word count; typically 1.2 to 2.0.
	K1 float64 `json:"k1" min:"0"`
	// How much long chunks are held back: 0 not at all, 1 in proportion to their length.
	B float64 `json:"b" min:"0" max:"1"`
}

// LSP switches what editors see.
type LSP struct {
	Hover       Switch `json:"hover"`
	CodeActions Switch `json:"code_actions"`
	// Whether document symbols are offered; most editors get them from a language's own server already.
	DocumentSymbol bool   `json:"document_symbol"`
	Daemon         Daemon `json:"daemon"`
}

// Daemon is the process that the editors of a workspace share.
type Daemon struct {
	// Whether editors share one; otherwise each has an index of its own.
	Enabled bool `json:"enabled"`
	// How many seconds it stays when the last editor is gone.
	IdleSeconds int `json:"idle_seconds" min:"0" max:"86400"`
}

// A Switch turns one feature on or off.
type Switch struct {
	Enabled bool `json:"enabled"`
}

// Memory is where records are kept for good.
type Memory struct {
	// The database file. Empty keeps memory only until AURORA exits.
	DatabasePath string `json:"database_path" scope:"user" format:"path"`
}

// Storage is where the disposable index is kept.
type Storage struct {
	// The folder of the index. Empty keeps the index only until AURORA exits.
	Dir string `json:"dir" scope:"user" format:"path"`
}

// Logging says what is logged and where.
type Logging struct {
	// The least severe level that is logged.
	Level string `json:"level" oneof:"debug,info,warn,error"`
	// The log file, besides standard error. Empty means none.
	File string `json:"file" scope:"user" format:"path"`
}

// Defaults returns the settings in force when nothing is configured. home is AURORA's folder (see Home); when it is
// "", nothing is kept on disk.
func Defaults(home string) *Settings {
	return &Settings{
		Index: Index{
			MaxFileSizeMB:  5,
			DebounceMs:     100,
			IgnorePatterns: []string{},
			Watcher:        Watcher{Enabled: true},
		},
		Search:  Search{BM25: BM25{K1: 1.5, B: 0.75}, Limit: 10},
		LSP:     LSP{Hover: Switch{Enabled: true}, CodeActions: Switch{Enabled: true}, Daemon: Daemon{Enabled: true, IdleSeconds: 600}},
		Memory:  Memory{DatabasePath: below(home, "memory.db")},
		Storage: Storage{Dir: below(home, "index")},
		Logging: Logging{Level: "info", File: below(home, "logs", "aurora.log")},
		LLM:     defaultLLM(),

		CostBudgets: defaultBudgets(home),
		Guardrails:  Guardrails{PII: PII{Action: "redact"}, MaxQueryLength: 10_000},
		Complexity:  defaultComplexity(),
		Scoring:     defaultScoring(),
		origins:     map[string]string{},
	}
}

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
