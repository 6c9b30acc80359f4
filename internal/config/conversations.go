package config

// Conversations are the files that every question and its answer are written to.
type Conversations struct {
	// Whether they are written, and found when memory has little to say. What is there stays.
	Enabled bool `json:"enabled" scope:"user"`
	// The folder, in which each month has one of its own. Empty writes none.
	Path string `json:"path" scope:"user" format:"path"`
	// The format of the files.
	Format string `json:"format" oneof:"markdown" scope:"user"`
	// After how many days a file is deleted; 0 keeps all.
	RetentionDays int `json:"retention_days" min:"0" max:"36500" scope:"user"`
	// After how many days a file is compressed; 0 never does.
	CompressAfterDays int `json:"compress_after_days" min:"0" max:"36500" scope:"user"`
	// The phases that are written: assess, retrieve, decompose, verify, route, collect, synthesize, record, respond.
	IncludePhases []string `json:"include_phases" format:"phase" scope:"user"`
	// Whether what a person was asked meanwhile is written, with the reply.
	IncludeUserInteractions bool `json:"include_user_interactions" scope:"user"`
	// Whether times, tokens and cost are written.
	IncludeMetadata bool `json:"include_metadata" scope:"user"`

	FileNaming FileNaming `json:"file_naming"`
}

// FileNaming says what the files are called.
type FileNaming struct {
	// Of what a name is made: words of the question and the day.
	Strategy string `json:"strategy" oneof:"keyword-date" scope:"user"`
	// How many words of the question.
	KeywordCount int `json:"keyword_count" min:"1" max:"8" scope:"user"`
	// What stands in their place, with a number, when the question has none.
	FallbackPrefix string `json:"fallback_prefix" scope:"user"`
}

// conversationPhases are the names that include_phases may have.
var conversationPhases = []string{"assess", "retrieve", "decompose", "verify", "route", "collect", "synthesize", "record", "respond"}

func defaultConversations(home string) Conversations {
	return Conversations{
		Enabled: true, Path: below(home, "logs", "conversations"), Format: "markdown",
		FileNaming:    FileNaming{Strategy: "keyword-date", KeywordCount: 2, FallbackPrefix: "query"},
		RetentionDays: 90, CompressAfterDays: 7, IncludePhases: append([]string{}, conversationPhases...),
		IncludeUserInteractions: true, IncludeMetadata: true,
	}
}
