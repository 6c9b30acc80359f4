package config

// Logging says what is logged and where.
type Logging struct {
	// The least severe level that is logged.
	Level string `json:"level" oneof:"debug,info,warn,error" alias:"logging.default_level"`
	// The log file, besides standard error. Empty means none.
	File string `json:"file" scope:"user" format:"path" alias:"logging.log_path"`
	// Where to: console (standard error, of servers), file; with json the file has one JSON object a line.
	Outputs  []string `json:"outputs" scope:"user" format:"output"`
	Rotation Rotation `json:"rotation"`

	Conversations Conversations `json:"conversations"`
}

// logOutputs are the values of logging.outputs.
var logOutputs = []string{"console", "file", "json"}

// Rotation bounds the log file.
type Rotation struct {
	// From how many MiB on a new file is begun.
	MaxSizeMB int `json:"max_size_mb" min:"1" max:"10240" scope:"user"`
	// How many files there are at most, the present one included.
	MaxFiles int `json:"max_files" min:"1" max:"1000" scope:"user"`
}

// Aurora says when a message of an MCP client is a question for AURORA.
type Aurora struct {
	// Whether a message that begins with one of the prefixes below is one.
	UserInvoked bool `json:"user_invoked"`
	// Whether every message is one, but for those below.
	AlwaysOn bool `json:"always_on"`
	// What such a message begins with.
	Prefix []string `json:"prefix"`
	// Replies that start no question, whatever is set above. Letter case and punctuation do not matter.
	ExcludePatterns []string `json:"exclude_patterns"`
}
