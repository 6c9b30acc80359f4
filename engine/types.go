package engine

import (
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/index"
)

// A QueryRequest asks a question.
type QueryRequest struct {
	Query  string
	Select *Selection
	Mode   string // auto (default), direct, soar
	Force  bool   // no cached replies; past the budget's hard limit where the settings allow that
	Fresh  bool   // no cached replies

	Assess         string  // auto (default), keyword, llm: who tells how hard the question is
	Adaptive       bool    // as many passes as the work is worth, for questions that are planned
	Verification   string  // auto (default), none, self, adversarial, debate
	BudgetUSD      float64 // the most that this query may cost; 0 means no limit of its own
	AskBudget      bool    // the door can ask a person: at the soft limit the query fails with ConfirmBudget
	BudgetAccepted bool    // the person was asked and agreed
	ConversationID string  // for the history and Conversations

	before *work // what the question goes on from, nil for one of its own
	done   *work // filled in with how far it came; may be nil

	Caller
}

// ConfirmBudget is the Detail of the Error of a query that needs the person's leave: the budget's soft limit is
// reached. Asked again with BudgetAccepted, it runs.
const ConfirmBudget = "confirm"

// A QueryResult answers a QueryRequest.
type QueryResult struct {
	QueryID    string
	Answer     string // markdown
	Confidence float64
	Verified   bool
	Complexity string // SIMPLE, MEDIUM, COMPLEX, CRITICAL
	Model      string
	Citations  []Hit
	Warnings   []string
	Phases     []Phase
	Total      time.Duration

	OverallScore *float64 // of the verification; nil when nothing was verified
	Subgoals     []Subgoal
	Cost         Cost
	Tokens       Tokens
	AtBestUSD    float64 // what the same tokens would have cost had the model of the hardest questions had them all
	Cached       bool    // every reply came from the cache
	ChunkID      string  // the record that the answer became; "" for none

	Passes    []*soar.ExecutionPass // of a question that was planned, in their order; what they judged and changed
	FellBack  bool                  // the model failed, and the answer was made without it
	Abstained bool                  // nothing answers the question, and Answer says what was looked for; without a model only
}

// Tokens says who took them.
type Tokens struct{ Reasoning, Agents int }

// A Subgoal is a part of a question as it went.
type Subgoal struct {
	ID          string
	Description string
	Agent       string
	Status      string // success, partial, failed
	Score       float64
	Summary     string
	Note        string // why it should not be trusted
}

// Cost is what models took.
type Cost struct {
	USD              float64
	PromptTokens     int
	CompletionTokens int
	Calls            int
}

// A Phase is one of the nine phases as it went.
type Phase struct {
	Name       string // ASSESS, RETRIEVE, DECOMPOSE, VERIFY, ROUTE, COLLECT, SYNTHESIZE, RECORD, RESPOND
	Status     string // ok, skipped, retried, failed
	StartedAt  time.Time
	Duration   time.Duration
	Percentage float64
	Detail     string
}

// A Progress event tells how far a query is.
type Progress struct {
	QueryID string
	Stage   string
	Status  string // in_progress, complete, retry, failed
	Detail  string
	Done    float64     // 0..1; negative when unknown
	Facts   *soar.Facts // what a phase that ended well found out; may be nil
	Delta   string      // the next piece of the answer, while it is streamed
	Void    bool        // what was streamed so far is void
}

// A Status is what `aurora status` and `aurora/status` tell.
type Status struct {
	Index       index.Status
	LLM         LLMStatus
	Memory      MemoryStatus
	Embedder    EmbedderStatus
	Providers   []ProviderStatus
	QueryMeanMs float64 // of the latest searches
	QueryP50Ms  float64
	QueryP95Ms  float64
	Usage       UsageStatus
	Warnings    []string
	Version     string
}

// UsageStatus sums up what was asked since the engine began.
type UsageStatus struct {
	Queries        int     // searches, contexts and questions
	CacheHitRate   float64 // share of the replies of models that were kept ones, 0..1; 0 when none was needed
	TokensPerQuery float64 // mean of the tokens of what was retrieved
}

// LLMStatus tells whether a model is there.
type LLMStatus struct {
	Configured bool
	Healthy    bool
	Model      string
}

// EmbedderStatus tells whose vectors searches compare.
type EmbedderStatus struct {
	ID   string // "" without any
	Dims int
	Kind string // embedded, endpoint, none
}

// MemoryStatus counts what is remembered.
type MemoryStatus struct {
	Knowledge, Reasoning int
	SizeBytes            int64
	Path                 string
	Key                  string // that the file is encrypted with, for people; "" when it is plain
}
