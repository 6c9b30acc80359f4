package config

// Memory keeps what was remembered and learned.
// Switching it off deletes nothing.
type Memory struct {
	// Remember and recall.
	Enabled bool `json:"enabled" page:"yes"`
	// Database file. Empty keeps memory until AURORA exits.
	DatabasePath string     `json:"database_path" scope:"user" format:"path"`
	Encryption   Encryption `json:"encryption"`
	Activation   Activation `json:"activation"`
	Lifespan     Lifespan   `json:"lifespan_policies"`
}

// Encryption protects memory, conversations and the history of questions on disk.
// "aurora mem encryption" changes it together with what is stored already.
type Encryption struct {
	// Encrypt new databases, conversations and records. To convert what is stored already, run
	// "aurora mem encryption --enable" or "disable".
	Enabled bool `json:"enabled" scope:"owner"`
	// Where the key is: keyring (of the system), file or env (an environment variable).
	KeySource string `json:"key_source" scope:"owner" oneof:"keyring,file,env"`
	// File with the key, which only you may be able to read.
	KeyFile string `json:"key_file" scope:"owner" format:"path"`
	// Environment variable with the key. Editors and agents that start AURORA need it, too.
	KeyEnv string `json:"key_env" scope:"owner"`
}

// Activation decides how prominent a record is.
// What was used often and recently comes first.
type Activation struct {
	// How the age of a use is measured: wall (the clock) or activity (time at work, so that holidays do not count).
	Time string `json:"time" oneof:"wall,activity"`
}

// Lifespan decides how long records are kept.
// docs/memory.md describes the policies and the language of conditions.
type Lifespan struct {
	// Apply the policies; otherwise records are kept for good.
	Enabled bool `json:"enabled"`
	// JSON file with further policies. It takes the place of lifespan_policies.policies.
	File string `json:"file" format:"path"`
	// Policy of records that no condition matches.
	DefaultPolicy string `json:"default_policy"`
	// Further policies by name, such as `{"fintech": {"condition": "domain == 'fintech'", "lifespan": "730_days"}}`.
	// They replace built-in ones of the same name.
	Policies map[string]LifespanPolicy `json:"policies"`
}

// A LifespanPolicy is one of them; docs/memory.md has the language of conditions.
type LifespanPolicy struct {
	Condition   string `json:"condition"`
	Lifespan    string `json:"lifespan"`
	Decay       string `json:"decay_mechanism" oneof:",logarithmic,exponential,none"`
	Escalation  string `json:"escalation_action"`
	Description string `json:"description"`
}

// History keeps each question with its phases, passes and calls.
// It can be shown and replayed; see "aurora history".
type History struct {
	// Keep questions.
	Enabled bool `json:"enabled" scope:"user"`
	// Number of questions kept; the oldest are deleted first.
	Keep int `json:"keep" min:"1" max:"100000" scope:"user"`
}

// Logging says what is logged and where.
// Logs never contain secrets or keys.
type Logging struct {
	// Least severe level that is logged.
	Level string `json:"level" oneof:"debug,info,warn,error" page:"yes"`
	// Log file. Empty means none.
	File string `json:"file" scope:"user" format:"path"`
	// Destinations: console (standard error of servers) and file. With json, each line of the file is a JSON object.
	Outputs       []string      `json:"outputs" scope:"user" format:"output"`
	Rotation      Rotation      `json:"rotation"`
	Conversations Conversations `json:"conversations"`
}

// logOutputs are the values of logging.outputs.
var logOutputs = []string{"console", "file", "json"}

// Rotation limits the log files.
// The oldest file is deleted when a new one is needed.
type Rotation struct {
	// Size in MiB from which a new file is started.
	MaxSizeMB int `json:"max_size_mb" min:"1" max:"10240" scope:"user"`
	// Number of files, including the current one.
	MaxFiles int `json:"max_files" min:"1" max:"1000" scope:"user"`
}

// Conversations are Markdown files with every question and its answer.
// They are searched when memory has little to say.
type Conversations struct {
	// Write conversations. Existing files stay.
	Enabled bool `json:"enabled" scope:"user"`
	// Folder of the files, with one folder per month. Empty writes none.
	Path string `json:"path" scope:"user" format:"path"`
	// Days after which a file is deleted; 0 keeps all.
	RetentionDays int `json:"retention_days" min:"0" max:"36500" scope:"user"`
}

// Metrics are figures of the use of AURORA.
// They stay on this machine, in memory's database, and contain no text of questions or answers.
type Metrics struct {
	// Count and keep figures.
	Enabled bool `json:"enabled"`
	// File that a server writes its counters to, in the text format of Prometheus. Empty writes none.
	ExportFile string `json:"export_file" scope:"user" format:"path"`
}

// Reporting writes daily, monthly and cumulative reports on its own.
// "aurora report" makes them at any time.
type Reporting struct {
	// Write a report when a day or month with questions is over.
	Enabled bool `json:"enabled" scope:"user"`
	// Folder of the reports, with one folder per kind. Empty writes none.
	Dir string `json:"dir" scope:"user" format:"path"`
}

func defaultMemory(home string) Memory {
	return Memory{
		Enabled: true, DatabasePath: below(home, "memory.db"),
		Encryption: Encryption{KeySource: "keyring", KeyEnv: "AURORA_MEMORY_KEY"}, Activation: Activation{Time: "wall"},
		Lifespan: Lifespan{Enabled: true, DefaultPolicy: "keep", Policies: map[string]LifespanPolicy{}},
	}
}

func defaultLogging(home string) Logging {
	return Logging{
		Level: "info", File: below(home, "logs", "aurora.log"), Outputs: []string{"console", "file"}, Rotation: Rotation{100, 10},
		Conversations: Conversations{Enabled: true, Path: below(home, "logs", "conversations"), RetentionDays: 90},
	}
}
