package client

// An AddRequest has a file indexed.
type AddRequest struct {
	FilePath string  `json:"file_path"` // relative to the workspace, or absolute
	Lang     string  `json:"lang,omitempty"`
	Mime     string  `json:"mime,omitempty"`    // accepted; the language goes by lang or the name
	Content  *string `json:"content,omitempty"` // nil means the text on disk
}

// An AddResult says what became of the file.
type AddResult struct {
	FileID     string `json:"file_id"` // a UUID, the same for the same file
	Chunks     int    `json:"chunks"`
	Embeddings int    `json:"embeddings"`
	Note       string `json:"note,omitempty"`
}

// A DeleteRequest takes a file out again.
type DeleteRequest struct {
	FilePath string `json:"file_path"`
}

// A DeleteResult says whether it is out.
type DeleteResult struct {
	Deleted bool   `json:"deleted"`
	Note    string `json:"note,omitempty"`
}

// A Query is a search. The names of the tool query_context are accepted, too.
type Query struct {
	Q       string   `json:"q,omitempty"`
	K       int      `json:"k,omitempty"`     // most hits; 0 means 12
	Model   string   `json:"model,omitempty"` // of embeddings; "" or the one that the index has
	Filters *Filters `json:"filters,omitempty"`
	// How much a hit's own score counts against its likeness to better hits, 0 to 1; nil means 0.5. The ranking leaves
	// out what says the same by itself and does not weigh likeness otherwise: the answer notes that when another value
	// is asked for.
	Lambda *float64 `json:"mmr_lambda,omitempty"`

	Query string `json:"query,omitempty"` // another name of Q
	Scope *Scope `json:"scope,omitempty"`
}

// Filters narrow a Query.
type Filters struct {
	Lang      string  `json:"lang,omitempty"`
	Kind      string  `json:"kind,omitempty"` // such as CODE_FUNCTION
	PathGlob  string  `json:"path_glob,omitempty"`
	MinScore  float64 `json:"minScore,omitempty"`
	MaxTokens int     `json:"maxTokens,omitempty"`
}

// A Scope narrows a Query; every list that is not empty has to match.
type Scope struct {
	Paths     []string `json:"paths,omitempty"` // globs
	Languages []string `json:"languages,omitempty"`
	Kinds     []string `json:"kinds,omitempty"`
}

// An Answer is what a search found.
type Answer struct {
	Model       string   `json:"q_embed_model"` // "" when the index has no vectors
	Total       int      `json:"total"`
	Hits        []Hit    `json:"hits"`
	TotalTokens int      `json:"totalTokens"`
	Notes       []string `json:"notes,omitempty"`
}

// A Hit is one chunk of code, or a record.
type Hit struct {
	ChunkID  string  `json:"chunkId"`
	Score    float64 `json:"score"` // 0..1
	FilePath string  `json:"filePath"`
	Label    string  `json:"label"`
	Kind     string  `json:"kind"`
	Snippet  string  `json:"snippet"`
	Language string  `json:"language"`
	Offsets  struct {
		Start int `json:"start"` // lines, one-based
		End   int `json:"end"`
	} `json:"offsets"`
}
