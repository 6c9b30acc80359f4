package reason

import (
	"context"
	"time"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/proposal"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/snippet"
)

// A QueryRequest asks a question.
type QueryRequest struct {
	Query  string
	Select *codebase.Selection
	Mode   string // auto (default), direct, soar
	Force  bool   // no cached replies; past the budget's hard limit where the settings allow that
	Fresh  bool   // no cached replies

	Assess       string  // auto (default), keyword, llm: who tells how hard the question is
	Changes      bool    // the answer may end in changes of files, which are proposed and not made
	Adaptive     bool    // as many passes as the work is worth, for questions that are planned
	Verification string  // auto (default), none, self, adversarial, debate
	BudgetUSD    float64 // the most that this query may cost; 0 means no limit of its own
	Consent
	ConversationID string // for the history and Conversations

	Before *Work `json:"-"` // what the question goes on from, nil for one of its own
	Done   *Work `json:"-"` // filled in with how far it came; may be nil

	Caller
}

// Consent is what a person says to the cost of a query.
type Consent struct {
	AskBudget      bool // the door can ask a person: at the soft limit the query fails with ConfirmBudget
	BudgetAccepted bool // the person was asked and agreed
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
	Citations  []snippet.Hit
	Warnings   []string

	OverallScore *float64 // of the verification; nil when nothing was verified
	ChunkID      string   // the record that the answer became; "" for none
	Abstained    bool     // nothing answers the question, and Answer says what was looked for; without a model only

	Changes []proposal.File // that the answer proposes; nothing has been written

	FellBack soar.Fallback // what the answer was made of when the models gave no whole one; "" when they did
	Course
	Spending
}

// A Course is how an answer came to be.
type Course struct {
	Phases   []Phase
	Total    time.Duration
	Subgoals []Subgoal
	Passes   []*soar.ExecutionPass // of a question that was planned, in their order; what they judged and changed
}

// Spending is what an answer took.
type Spending struct {
	Cost      Cost
	Tokens    Tokens
	AtBestUSD float64 // what the same tokens would have cost had the model of the hardest questions had them all
	Cached    bool    // every reply came from the cache
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
	CachedTokens     int // of PromptTokens: providers had them from earlier calls
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

// A Question is what an agent, or AURORA for it, wants to know of the person.
type Question struct {
	QueryID string
	AgentID string
	Text    string
	Choices []string // empty lets the person write
	Default string   // what counts without an answer; may be ""
}

// An Asker puts a question to the person and waits. ok is false when the person declines; the error is that of ctx.
type Asker func(ctx context.Context, q Question) (answer string, ok bool, err error)

// A Caller is who asks, and what that one offers for the question. What it offers does not travel to another process.
type Caller struct {
	Agent, TaskID string // who asks and for which task, for the figures of usage

	Models *Models `json:"-"` // that are lent; those of the settings go before them
	Ask    Asker   `json:"-"` // puts the questions of agents to the person; nil when nobody can be asked
}
