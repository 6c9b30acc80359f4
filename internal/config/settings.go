package config

// Settings are all that can be set. A key is the JSON names joined by dots, such as search.bm25.k1. The tags say
// which values are allowed: min and max bound a number, oneof lists words, format says what a string must be, and scope
// "user" keeps a project's own file from setting what would make AURORA write elsewhere or send data, until the user
// trusts the workspace. With scope "owner" it may not even then. An alias is another name that is accepted for a key. docs/configuration.md is generated from
// this file.
//
// Paths are absolute once loaded; "~/" stands for the home folder.
type Settings struct {
	Index    Index    `json:"index"`
	Chunking Chunking `json:"chunking" alias:"context.chunking"`
	Security Security `json:"security"`
	Search   Search   `json:"search"`
	UI       UI       `json:"ui"`
	LSP      LSP      `json:"lsp"`
	Memory   Memory   `json:"memory"`
	Storage  Storage  `json:"storage"`
	Logging  Logging  `json:"logging"`
	LLM      LLM      `json:"llm"`
	Aurora   Aurora   `json:"aurora"`
	Agents   Agents   `json:"agents"`

	Embeddings  Embeddings  `json:"embeddings"`
	CostBudgets CostBudgets `json:"cost_budgets"`
	Guardrails  Guardrails  `json:"guardrails"`
	Complexity  Complexity  `json:"complexity"`
	Scoring     Scoring     `json:"scoring"`
	Adaptive    Adaptive    `json:"adaptive"`
	History     History     `json:"history"`
	Headless    Headless    `json:"headless"`
	Metrics     Metrics     `json:"metrics"`
	Reporting   Reporting   `json:"reporting"`
	HTTP        HTTP        `json:"http"`
	Signals     Signals     `json:"signals"`

	origins map[string]string // key to source; a key that is missing has its default
}

// Index says what is indexed and how.
type Index struct {
	// Whether anything is indexed. In a project's own file it counts for that folder. While it is off there is no
	// watcher, no worker and no timer.
	Enabled bool `json:"enabled" alias:"context.enabled"`
	// Folders that are not indexed, whatever their own files say.
	DisabledFolders []string `json:"disabled_folders" scope:"user" format:"path"`
	// What is looked into: files and folders, relative to the workspace folder or absolute inside of it. Empty or
	// ["auto"] is everything but what the rules below, hidden folders and build output leave out.
	WatchPaths []string `json:"watch_paths" alias:"context.watcher.watch_paths"`
	// Patterns of files to leave out, written as in .gitignore, on top of the project's own.
	IgnorePatterns []string `json:"ignore_patterns" format:"glob" alias:"context.watcher.ignore_patterns"`
	// Whether the patterns above mean capital and small letters alike.
	IgnoreCase bool `json:"ignore_case" alias:"context.watcher.ignore_case"`
	// Whether git, or without it the .gitignore files, say what is left out.
	UseGitignore bool `json:"use_gitignore" alias:"context.watcher.use_gitignore"`
	// Whether .contextignore files, written as .gitignore, say what is left out.
	UseContextignore bool `json:"use_contextignore" alias:"context.watcher.use_contextignore"`
	// Whether the .dockerignore file of the workspace folder says what is left out.
	UseDockerignore bool `json:"use_dockerignore" alias:"context.watcher.use_dockerignore"`
	// Only files whose names end so are indexed, unless the list is empty. It lets in what binary detection by names
	// would leave out.
	AllowedExtensions []string `json:"allowed_extensions" format:"extension" alias:"context.indexing.allowed_extensions"`
	// Files whose names end so are not indexed.
	BlockedExtensions []string `json:"blocked_extensions" format:"extension" alias:"context.indexing.blocked_extensions"`
	// Files larger than this many MiB are not indexed.
	MaxFileSizeMB int `json:"max_file_size_mb" min:"1" max:"1024" alias:"context.indexing.max_file_size_mb,context.watcher.max_file_size_mb"`
	// Files larger than this many MiB are indexed, with a warning in the log; 0 never warns.
	WarnFileSizeMB int `json:"warn_file_size_mb" min:"0" max:"1024" alias:"context.indexing.warn_file_size_mb"`
	// Patterns, written as in .gitignore, of files that are indexed up to 256 MiB.
	SizeExceptions []string `json:"size_exceptions" format:"glob" alias:"context.indexing.size_exceptions"`
	// How files that hold no text are found: by the extension of their names, by mime (the signature that they begin
	// with), by content (the share of bytes that are no text), or by all three.
	BinaryDetection string `json:"binary_detection" oneof:"extension,mime,content,all" alias:"context.indexing.binary_detection"`
	// How many percent of the first 8 KiB may belong to no text.
	BinaryThreshold int `json:"binary_threshold" min:"1" max:"100" alias:"context.indexing.binary_threshold"`
	// Whether symbolic links are followed; what they lead to is indexed under its real path, and only inside of the
	// watch paths.
	FollowSymlinks bool `json:"follow_symlinks" alias:"context.indexing.follow_symlinks"`
	// How many links in links are followed.
	MaxSymlinkDepth int `json:"max_symlink_depth" min:"1" max:"40" alias:"context.indexing.max_symlink_depth"`
	// How many milliseconds file events are gathered before they are worked on. Counts at the next start.
	DebounceMs int `json:"debounce_ms" min:"0" max:"60000" alias:"context.watcher.debounce_ms"`
	// How many files are read and parsed at once; 0 means one per core. Counts at the next start.
	Workers int `json:"workers" min:"0" max:"256" alias:"index.bootstrap.parallel_workers,context.bootstrap.parallel_workers"`
	// How many MiB the cache of parsed texts, which all workspaces share, may take up on the disk. It is cut once a day;
	// what was not used for the longest time goes first. Counts at the next start.
	CacheMaxMB int `json:"cache_max_mb" min:"16" max:"1048576"`
	// Parts of the workspace that searches are confined to, by name, such as
	// {"backend": {"watch_paths": ["backend/src"], "ignore_patterns": ["*.gen.go"]}}.
	Projects  map[string]Project `json:"projects" alias:"context.projects"`
	Watcher   Watcher            `json:"watcher"`
	Bootstrap Bootstrap          `json:"bootstrap"`
}

// Watcher follows changes that other programs make to files.
type Watcher struct {
	// Whether file events are followed. Counts at the next start.
	Enabled bool `json:"enabled" alias:"context.watcher.enabled"`
}

// Bootstrap says how a folder is indexed for the first time.
type Bootstrap struct {
	// Whether a folder is indexed as soon as it is opened; otherwise only what is opened, changed or refreshed.
	Enabled bool `json:"enabled" alias:"context.bootstrap.enabled"`
	// How many files are published at once at most. Counts at the next start.
	BatchSize int `json:"batch_size" min:"1" max:"100000" alias:"context.bootstrap.batch_size"`
	// Files whose names end so come first among their equals.
	PriorityExtensions []string `json:"priority_extensions" format:"extension" alias:"context.bootstrap.priority_extensions"`
	// How many files are indexed at most; 0 means all.
	MaxInitialFiles int `json:"max_initial_files" min:"0" alias:"context.bootstrap.max_initial_files"`
	// Whether the first file that fails ends the scan.
	FailFast bool `json:"fail_fast" alias:"context.bootstrap.fail_fast"`
	// Whether editors and commands show how far indexing is. Counts at the next start.
	ShowProgress bool `json:"show_progress" alias:"context.bootstrap.show_progress"`
	// How many seconds pass between two lines of progress, where it is shown in lines.
	ProgressIntervalSeconds int `json:"progress_interval_seconds" min:"1" max:"3600" alias:"context.bootstrap.progress_interval_seconds"`
}

// A Project is a part of the workspace with a name.
type Project struct {
	// What belongs to it, as index.watch_paths has it.
	WatchPaths []string `json:"watch_paths"`
	// What of that is not indexed, as index.ignore_patterns has it.
	IgnorePatterns []string `json:"ignore_patterns" format:"glob"`
}

// Chunking says how texts are cut into the chunks that a search finds. Other languages have no settings.
type Chunking struct {
	Markdown   ChunkMarkdown   `json:"markdown"`
	Python     ChunkPython     `json:"python"`
	TypeScript ChunkTypeScript `json:"typescript"`
	Kotlin     ChunkKotlin     `json:"kotlin"`
}

// ChunkMarkdown says how Markdown is cut.
type ChunkMarkdown struct {
	// How many tokens a chunk has at most, at about four bytes each.
	MaxTokens int `json:"max_tokens" min:"50" max:"10000"`
	// Whether each heading begins a chunk.
	SplitByHeadings bool `json:"split_by_headings"`
	// Whether fenced code stays in one piece, however long it is.
	PreserveCodeBlocks bool `json:"preserve_code_blocks"`
}

// ChunkPython says how Python is cut.
type ChunkPython struct {
	// How many tokens a part has at most, at about four bytes each.
	MaxTokens int `json:"max_tokens" min:"50" max:"10000"`
	// Whether functions and methods are chunks of their own.
	SplitByFunction bool `json:"split_by_function"`
	// How many percent of a part the next one repeats at most.
	OverlapPercent int `json:"overlap_percent" min:"0" max:"50"`
	// Whether documentation strings belong to what they document.
	PreserveDocstrings bool `json:"preserve_docstrings"`
}

// ChunkTypeScript says how TypeScript is cut.
type ChunkTypeScript struct {
	// How many tokens a part has at most, at about four bytes each.
	MaxTokens int `json:"max_tokens" min:"50" max:"10000"`
	// Whether functions, methods and classes are chunks of their own.
	SplitByExport bool `json:"split_by_export"`
	// Whether comments above a definition belong to it.
	PreserveJSDoc bool `json:"preserve_jsdoc"`
}

// ChunkKotlin says how Kotlin is cut.
type ChunkKotlin struct {
	// How many tokens a part has at most, at about four bytes each.
	MaxTokens int `json:"max_tokens" min:"50" max:"10000"`
	// Whether classes are chunks of their own.
	SplitByClass bool `json:"split_by_class"`
	// Whether functions and methods are chunks of their own.
	SplitByFunction bool `json:"split_by_function"`
	// Whether comments above a definition belong to it.
	PreserveKDoc bool `json:"preserve_kdoc"`
}

// Security says what is kept out of what is stored.
type Security struct {
	// Whether secrets are left out of the index. Memory and the log never hold them.
	ScrubSecrets bool `json:"scrub_secrets" scope:"user" alias:"context.security.scrub_secrets"`
	// Regular expressions of further secrets, on top of the known formats. A group, if there is one, is the secret.
	SecretPatterns []string `json:"secret_patterns" format:"regexp" alias:"context.security.secret_patterns"`
}

// Search says how results are found and ranked.
type Search struct {
	BM25 BM25 `json:"bm25"`
	// Whether chunks and questions are compared by what they mean, too, with the model that is part of the program.
	// It counts at the next start.
	Semantic bool `json:"semantic" alias:"semantic_memory.enabled"`
	// How many results are returned when a request names no limit.
	Limit int `json:"limit" min:"1" max:"1000" alias:"context.query.default_k,memory_modes.explicit_recall.max_results"`
	// Results with a lower score are left out when a request names no least score; 0 leaves out none.
	MinScore float64 `json:"min_score" min:"0" max:"1" alias:"semantic_memory.min_score,context.query.min_score_threshold"`
	// How many tokens a context has at most when a request names no budget.
	ContextTokens int `json:"context_tokens" min:"100" max:"1000000" alias:"context.budget.default_max_tokens"`
	// Whether a context is made of what the other providers found when one of them fails. Off, it fails, too.
	FallbackEnabled bool `json:"fallback_enabled" alias:"context.fallback_enabled"`
	// How one list is made of what the providers propose: rules (see docs/search.md), rrf (reciprocal rank fusion),
	// weighted_average or cascade. It counts at the next start.
	Fusion    string    `json:"fusion" oneof:"rules,rrf,weighted_average,cascade" alias:"context.providers.hybrid.fusion_strategy"`
	Hybrid    Hybrid    `json:"hybrid"`
	Providers Providers `json:"providers" alias:"context.providers"`
}

// Hybrid says how candidates become results. It counts at the next start.
type Hybrid struct {
	// How many chunks the words of a query propose at least, before they are ranked.
	Stage1TopK    int           `json:"stage1_top_k" min:"10" max:"10000" alias:"semantic_memory.top_k"`
	Stage2Weights Stage2Weights `json:"stage2_weights"`
}

// Stage2Weights shift the ranking between what texts mean and what was used lately. Halves leave both as they were tuned;
// their sum is 1.
type Stage2Weights struct {
	// How much likeness of meaning counts.
	Semantic float64 `json:"semantic" min:"0" max:"1"`
	// How much activation counts, of what is remembered.
	Activation float64 `json:"activation" min:"0" max:"1"`
}

// Providers say who proposes results. They count at the next start.
type Providers struct {
	// What holds the words.
	FullText Provider `json:"full_text"`
	// Definitions by their names, files by their paths.
	Symbol Provider `json:"symbol"`
	// What means the same; search.semantic off switches it off, too.
	Semantic Provider `json:"semantic"`
	// Files of commits whose subjects hold the words.
	GitHistory Provider `json:"git_history"`
	// What the best definitions call, and what calls them.
	Dependency Provider `json:"dependency"`
	// What is remembered.
	Memory Provider `json:"memory"`
}

// A Provider is one of them.
type Provider struct {
	// Whether it is asked.
	Enabled bool `json:"enabled"`
	// How much it counts in every fusion but that by rules.
	Weight float64 `json:"weight" min:"0" max:"1"`
	// How many milliseconds it may take; 0 is no bound of its own.
	TimeoutMs int `json:"timeout_ms" min:"0" max:"60000"`
}

// BM25 are the constants of the keyword score.
type BM25 struct {
	// How much repetitions of a word count; typically 1.2 to 2.0.
	K1 float64 `json:"k1" min:"0"`
	// How much long chunks are held back: 0 not at all, 1 in proportion to their length.
	B       float64      `json:"b" min:"0" max:"1"`
	Weights FieldWeights `json:"weights"`
}

// FieldWeights are how much a word counts by where it stands; 0 leaves the place out.
type FieldWeights struct {
	// In the name of a definition.
	Name float64 `json:"name" min:"0" max:"100"`
	// In the path of the file.
	Path float64 `json:"path" min:"0" max:"100"`
	// In the signature.
	Signature float64 `json:"signature" min:"0" max:"100"`
	// In the doc comment.
	Doc float64 `json:"doc" min:"0" max:"100"`
	// In all the rest.
	Body float64 `json:"body" min:"0" max:"100"`
}

// UI says how commands print.
type UI struct {
	// What "mem search" prints when it is not told: enhanced, or legacy, which is what --legacy prints.
	DefaultSearchFormat string `json:"default_search_format" oneof:"enhanced,legacy"`
}

// LSP switches what editors see.
type LSP struct {
	// Whether hovers are shown.
	Hover Switch `json:"hover" alias:"hover"`
	// Whether code actions are offered.
	CodeActions Switch `json:"code_actions" alias:"code_actions"`
	// Whether functions, methods and classes show who calls them, their last change and what is remembered about them,
	// in editors that have code lenses.
	CodeLens Switch `json:"code_lens"`
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

// Storage is where the disposable index is kept.
type Storage struct {
	// The folder of the index. Empty keeps the index only until AURORA exits.
	Dir string `json:"dir" scope:"user" format:"path"`
}

// Defaults returns the settings in force when nothing is configured. home is AURORA's folder (see Home); when it is
// "", nothing is kept on disk.
func Defaults(home string) *Settings {
	return &Settings{
		Index: defaultIndex(),

		Embeddings: defaultEmbeddings(),
		Chunking: Chunking{
			Markdown:   ChunkMarkdown{MaxTokens: 400, SplitByHeadings: true, PreserveCodeBlocks: true},
			Python:     ChunkPython{MaxTokens: 600, SplitByFunction: true, OverlapPercent: 15, PreserveDocstrings: true},
			TypeScript: ChunkTypeScript{MaxTokens: 600, SplitByExport: true, PreserveJSDoc: true},
			Kotlin:     ChunkKotlin{MaxTokens: 600, SplitByClass: true, SplitByFunction: true, PreserveKDoc: true},
		},
		Security: Security{ScrubSecrets: true, SecretPatterns: []string{}},
		Search:   Search{BM25: BM25{K1: 1.5, B: 0.75, Weights: FieldWeights{Name: 6, Path: 1, Signature: 2, Doc: 1, Body: 1}}, Semantic: true, Limit: 10, ContextTokens: 4000, FallbackEnabled: true, Fusion: "rules", Providers: defaultProviders(), Hybrid: Hybrid{300, Stage2Weights{0.5, 0.5}}},
		UI:       UI{DefaultSearchFormat: "enhanced"},
		LSP:      LSP{Hover: Switch{Enabled: true}, CodeActions: Switch{Enabled: true}, Daemon: Daemon{Enabled: true, IdleSeconds: 600}},
		Memory: Memory{
			Enabled:      true,
			DatabasePath: below(home, "memory.db"),
			Encryption:   Encryption{KeySource: "keyring", KeyEnv: "AURORA_MEMORY_KEY"},
			Activation: Activation{
				DecayRate: 0.5, SpreadFactor: 0.7, MaxSpreadHops: 3, ContextBoostMax: 0.5, RetrievalThreshold: 0.5, Time: "wall",
			},
			UseWeights: UseWeights{Edited: 1, Accepted: 1, Copied: 0.8, Cited: 0.8, Opened: 0.5, Returned: 0.01, Rejected: -1.5, Rated: 1},
			Lifespan:   Lifespan{Enabled: true, DefaultPolicy: "keep", Policies: map[string]LifespanPolicy{}},
			Learning:   Learning{SuccessBoost: 0.2, PartialBoost: 0.05, FailurePenalty: -0.1},
			Caching:    Caching{CacheFrom: 0.5, MarkFrom: 0.8},
		},
		Storage: Storage{Dir: below(home, "index")},
		Logging: Logging{
			Level: "info", File: below(home, "logs", "aurora.log"), Outputs: []string{"console", "file"}, Rotation: Rotation{100, 10},
			Conversations: defaultConversations(home),
		},
		LLM: defaultLLM(),
		Aurora: Aurora{
			UserInvoked: true, Prefix: []string{"aur", "aurora:", "/aurora"},
			ExcludePatterns: []string{"thanks", "yes", "no", "ok", "got it", "thank you"},
		},
		Agents: defaultAgents(),

		CostBudgets: defaultBudgets(home),
		Guardrails:  Guardrails{Enabled: true, PII: PII{Enabled: true, Action: "redact"}, MaxQueryLength: 10_000},
		Complexity:  defaultComplexity(),
		Scoring:     defaultScoring(),
		Adaptive:    defaultAdaptive(),
		History:     defaultHistory(home),
		Headless:    defaultHeadless(),
		Metrics:     defaultMetrics(),
		Reporting:   defaultReporting(home),
		HTTP:        defaultHTTP(),
		Signals:     defaultSignals(),
		origins:     map[string]string{},
	}
}

func defaultIndex() Index {
	return Index{
		Enabled:           true,
		DisabledFolders:   []string{},
		WatchPaths:        []string{},
		IgnorePatterns:    []string{},
		IgnoreCase:        true,
		UseGitignore:      true,
		UseContextignore:  true,
		AllowedExtensions: []string{},
		BlockedExtensions: []string{},
		MaxFileSizeMB:     5,
		WarnFileSizeMB:    2,
		SizeExceptions:    []string{},
		BinaryDetection:   "all",
		BinaryThreshold:   30,
		MaxSymlinkDepth:   3,
		DebounceMs:        100,
		CacheMaxMB:        1024,
		Watcher:           Watcher{Enabled: true},
		Bootstrap: Bootstrap{
			Enabled: true, BatchSize: 2000, PriorityExtensions: []string{".kt", ".py", ".ts", ".java", ".md"},
			ShowProgress: true, ProgressIntervalSeconds: 30,
		},
		Projects: map[string]Project{},
	}
}

func defaultProviders() Providers {
	return Providers{
		FullText: Provider{Enabled: true, Weight: 0.5}, Symbol: Provider{Enabled: true, Weight: 0.3},
		Semantic: Provider{Enabled: true, Weight: 0.6, TimeoutMs: 5000}, Memory: Provider{Enabled: true, Weight: 0.3},
		GitHistory: Provider{Weight: 0.2, TimeoutMs: 2000}, Dependency: Provider{Weight: 0.1, TimeoutMs: 1000},
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
