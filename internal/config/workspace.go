package config

// Index decides which files are indexed. Nothing is indexed twice: a change of these keys adds and removes files without
// a restart.
type Index struct {
	// Index code and documents. In a project's own file it applies to that project. While it is off, nothing is watched
	// or parsed, and searches say so.
	Enabled bool `json:"enabled" page:"yes"`
	// Folders that are never indexed, whatever their own settings say.
	DisabledFolders []string `json:"disabled_folders" scope:"user" format:"path" page:"yes"`
	// Files and folders to index, relative to the workspace folder or absolute inside it. Empty or `["auto"]` indexes
	// everything except what the other rules, hidden folders and build output exclude.
	WatchPaths []string `json:"watch_paths" page:"yes"`
	// Patterns of files to exclude, in the syntax of .gitignore, in addition to the project's own. Letter case does not
	// matter.
	IgnorePatterns []string `json:"ignore_patterns" format:"glob" page:"yes"`
	// Exclude what git ignores. Without git, the .gitignore files are read.
	UseGitignore bool `json:"use_gitignore" page:"yes"`
	// Index only files with these extensions; empty allows all. A listed extension is also indexed when it usually
	// belongs to binary files.
	AllowedExtensions []string `json:"allowed_extensions" format:"extension" page:"yes"`
	// Exclude files with these extensions.
	BlockedExtensions []string `json:"blocked_extensions" format:"extension" page:"yes"`
	// Largest file to index, in MiB.
	MaxFileSizeMB int `json:"max_file_size_mb" min:"1" max:"1024" page:"yes"`
	// Patterns, in the syntax of .gitignore, of files that are indexed up to 256 MiB.
	SizeExceptions []string `json:"size_exceptions" format:"glob"`
	// Follow symbolic links. Their targets are indexed under their real paths, and only inside the watch paths.
	FollowSymlinks bool `json:"follow_symlinks"`
	// Number of files read and parsed at once; 0 means one per core. Takes effect at the next start.
	Workers int `json:"workers" min:"0" max:"256"`
	// Size on disk of the cache of parsed texts that all workspaces share, in MiB. It is trimmed once a day, least
	// recently used first. Takes effect at the next start.
	CacheMaxMB int `json:"cache_max_mb" min:"16" max:"1048576"`
	// Named parts of the workspace that a search can be limited to, such as
	// `{"backend": {"watch_paths": ["backend/src"], "ignore_patterns": ["*.gen.go"]}}`.
	Projects  map[string]Project `json:"projects"`
	Watcher   Watcher            `json:"watcher"`
	Bootstrap Bootstrap          `json:"bootstrap"`
}

// Watcher follows changes that other programs make to files.
// Without it, changes count when a file is opened, saved or refreshed.
type Watcher struct {
	// Watch the file system. Takes effect at the next start.
	Enabled bool `json:"enabled"`
}

// Bootstrap controls the first indexing of a folder.
// It runs in the background and is resumed after an interruption.
type Bootstrap struct {
	// Index a folder as soon as it is opened; otherwise only what is opened, changed or refreshed.
	Enabled bool `json:"enabled"`
	// Show the progress of indexing in editors and commands. Takes effect at the next start.
	ShowProgress bool `json:"show_progress" page:"yes"`
}

// A Project is a part of the workspace with a name.
type Project struct {
	// What belongs to it, as in index.watch_paths.
	WatchPaths []string `json:"watch_paths"`
	// What of that is not indexed, as in index.ignore_patterns.
	IgnorePatterns []string `json:"ignore_patterns" format:"glob"`
}

// Security keeps secrets out of what is stored.
// Memory and logs never contain secrets, whatever is set here.
type Security struct {
	// Leave secrets out of the index.
	ScrubSecrets bool `json:"scrub_secrets" scope:"user" page:"yes"`
	// Regular expressions of further secrets, in addition to the known formats. A group, if there is one, is the secret.
	SecretPatterns []string `json:"secret_patterns" format:"regexp"`
}

// Search sets the defaults of searches and contexts.
// A request that names its own value wins.
type Search struct {
	// Search by meaning as well as by words, with the built-in model. Takes effect at the next start.
	Semantic bool `json:"semantic" page:"yes"`
	// Number of results when a request names no limit.
	Limit int `json:"limit" min:"1" max:"1000" page:"yes"`
	// Lowest score of a result when a request names none; 0 keeps all results.
	MinScore float64 `json:"min_score" min:"0" max:"1"`
	// Size of a context in tokens when a request names no budget.
	ContextTokens int       `json:"context_tokens" min:"100" max:"1000000"`
	Providers     Providers `json:"providers"`
	// A search server of the team, whose repositories searches find, too.
	Shared SharedSearch `json:"shared"`
}

// SharedSearch is a server that a team runs with "aurora serve --shared", see docs/team.md.
// Changes take effect at the next start.
type SharedSearch struct {
	// URL of the server. Empty means none. Its token is in the environment variable AURORA_SEARCH_TOKEN.
	URL string `json:"url" scope:"user"`
}

// Providers are optional sources of results, besides words, symbols and meaning.
// They take effect at the next start.
type Providers struct {
	// Files of commits whose subjects contain the words of the query.
	GitHistory Provider `json:"git_history"`
	// Callers and callees of the best definitions.
	Dependency Provider `json:"dependency"`
	// Records in memory.
	Memory Provider `json:"memory"`
}

// A Provider is a source of results.
type Provider struct {
	Enabled bool `json:"enabled"`
}

// Storage is where the index is kept.
// The index can be rebuilt at any time and needs no backup.
type Storage struct {
	// Folder of the index. Empty keeps the index in memory only.
	Dir string `json:"dir" scope:"user" format:"path"`
	// A cache that a team shares, so that a first index is fetched rather than made.
	SharedCache SharedCache `json:"shared_cache"`
}

// SharedCache is a place where a team keeps what was computed from its files, see docs/team.md.
// Changes take effect at the next start.
type SharedCache struct {
	// Absolute path of a folder, or URL of an HTTP server that speaks Bazel's remote cache protocol. Empty means none.
	URL string `json:"url" scope:"user"`
	// Public key of what fills it, as "aurora index --push" prints it. What is not signed by it is not used.
	PublicKey string `json:"public_key" scope:"user"`
	// Environment variable that contains the token of the server, or `user:password`.
	TokenEnv string `json:"token_env" scope:"user"`
}

// LSP switches what editors show.
// Changes apply at once.
type LSP struct {
	// Hover cards about the symbol under the cursor.
	Hover Switch `json:"hover"`
	// Code actions such as "Ask AURORA about this".
	CodeActions Switch `json:"code_actions"`
	// Code lenses above functions and classes: callers, last change, related memory.
	CodeLens Switch `json:"code_lens"`
	// Provide document symbols. Most editors already get them from the server of the language.
	DocumentSymbol bool `json:"document_symbol"`
	// When hints show what a change leaves behind: never (off), when a file is saved, or when something is staged.
	Review string `json:"review" oneof:"off,save,stage" page:"yes"`
	Daemon Daemon `json:"daemon"`
}

// Daemon is the process that the editors of a workspace share.
// Sharing saves memory and indexes a workspace once.
type Daemon struct {
	// Share one process between editors; otherwise each has an index of its own.
	Enabled bool `json:"enabled" page:"yes"`
	// Seconds until it exits after the last editor has closed.
	IdleSeconds int `json:"idle_seconds" min:"0" max:"86400"`
}

// A Switch turns one feature on or off.
type Switch struct {
	Enabled bool `json:"enabled" page:"yes"`
}

// HTTP is the address of "aurora serve --http".
// Only addresses of this machine are allowed.
type HTTP struct {
	// Address, which must belong to this machine.
	Host string `json:"host" scope:"user"`
	// Port; 0 takes a free one.
	Port int `json:"port" min:"0" max:"65535" scope:"user"`
}

func defaultIndex() Index {
	return Index{
		Enabled: true, DisabledFolders: []string{}, WatchPaths: []string{}, IgnorePatterns: []string{}, UseGitignore: true,
		AllowedExtensions: []string{}, BlockedExtensions: []string{}, MaxFileSizeMB: 5, SizeExceptions: []string{}, CacheMaxMB: 1024,
		Projects: map[string]Project{}, Watcher: Watcher{Enabled: true}, Bootstrap: Bootstrap{Enabled: true, ShowProgress: true},
	}
}

func defaultSearch() Search {
	return Search{Semantic: true, Limit: 10, ContextTokens: 4000, Providers: Providers{Memory: Provider{Enabled: true}}}
}
