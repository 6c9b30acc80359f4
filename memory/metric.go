package memory

import (
	"context"
	"time"
)

// The operations of a Metric. The last two are noted for agents: what a task took without AURORA, and with it.
const (
	OpQuery   = "query"
	OpSearch  = "search"
	OpContext = "context"
	OpBefore  = "before_integration"
	OpAfter   = "after_integration"
)

// The outcomes of a Metric. NothingFound is no failure: there was nothing, and that was said.
const (
	Succeeded    = "ok"
	NothingFound = "nothing"
	Refused      = "refused" // by a guardrail or the budget
	Failed       = "failed"
)

// A Metric is what one operation took: figures, never text of a question or an answer.
type Metric struct {
	At         time.Time // in the time zone whose calendar gives Day, when it is written
	Day        string    // 2006-01-02; set by reading
	Op         string
	Agent      string // who asked: cli, editor, http, or the name of an agent
	TaskID     string
	QueryID    string
	Outcome    string
	Complexity string // SIMPLE, MEDIUM, COMPLEX, CRITICAL; "" when it was not assessed
	Notes      string

	Record string // id of the record that the answer became

	Timing
	Retrieved
	ModelUse
	Verdict
	Providers []ProviderShare
}

// Timing is how long an operation took.
type Timing struct {
	Duration time.Duration
	Phases   []PhaseTime
}

// Retrieved is what an operation found before a model was asked.
type Retrieved struct {
	Retrieval     time.Duration
	Snippets      int
	SnippetsUsed  int // of the snippets, that the answer cites
	Characters    int // of the snippets
	ContextTokens int // of the snippets, estimated
	UsefulTokens  int // of the snippets that the answer cites
}

// ModelUse is what models did for an operation; of a noted task, its tokens are those that the agent read and wrote.
type ModelUse struct {
	TokensIn, TokensOut int
	TokensCached        int // of TokensIn: providers had them from earlier calls
	USD                 float64
	Calls               int
	CacheHits           int // replies that no model had to make
}

// A Verdict is what verification said of an answer.
type Verdict struct {
	Claims, Unsupported int      // statements about the code, and those that their sources do not bear out
	Score               *float64 // 0..1; nil when there was no verification
	Confidence          float64  // 0..1
}

// A PhaseTime is how long one phase took. Phases may overlap, so that the percentages of one
// operation may add up to more than 100.
type PhaseTime struct {
	Phase      string  `json:"phase"`
	DurationMs float64 `json:"duration_ms"`
	Percentage float64 `json:"percentage"` // of the time from start to finish
}

// A ProviderShare is what one source of snippets gave to one answer.
type ProviderShare struct {
	Provider  string  `json:"provider"` // full_text, semantic, memory, graph, ...
	Provided  int     `json:"provided"`
	Used      int     `json:"used"`
	ScoreSum  float64 `json:"score_sum"`  // of the scores of what was provided, each 0..1
	LatencyMs float64 `json:"latency_ms"` // of this provider alone; 0 when nothing was searched for
}

// A Span is the days from First to Last, both inclusive, as 2006-01-02. An empty end is open.
type Span struct{ First, Last string }

// A Saving compares what a task took without and with AURORA, in tokens.
type Saving struct {
	TaskID    string  `json:"task_id"`
	Before    float64 `json:"avg_before"`
	After     float64 `json:"avg_after"`
	Reduction float64 `json:"reduction_pct"` // of Before; negative when After is more
}

// A DayTokens is the mean of the tokens that tasks with AURORA took on a day.
type DayTokens struct {
	Day    string  `json:"day"`
	Tokens float64 `json:"avg_tokens"`
	Tasks  int     `json:"tasks"`
}

// A ProviderEffect says how far a source of snippets earns its place.
type ProviderEffect struct {
	Provider  string  `json:"provider"`
	Queries   int     `json:"queries"`
	Provided  int     `json:"snippets_provided"`
	Used      int     `json:"snippets_used"`
	AvgScore  float64 `json:"avg_score"`
	LatencyMs float64 `json:"avg_latency_ms"`
	CacheRate float64 `json:"cache_hit_rate"` // share of the queries that needed no model
}

// A Rating is what people made of an answer whose verification had a score.
type Rating struct {
	Score  float64 // of the verification, 0..1
	Rating float64 // mean of the ratings, -1..1
}

// A Growth is what memory gained on a day.
type Growth struct {
	Day                            string
	Knowledge, Reasoning, Patterns int
}

// A MetricSum adds the metrics of one operation up.
type MetricSum struct {
	Op           string
	Count        int
	TokensInput  int
	TokensOutput int
	Last         time.Time
}

// A MetricStore keeps Metrics beside the records. Every method may be called from several goroutines.
type MetricStore interface {
	// AddMetrics writes all or none.
	AddMetrics(ctx context.Context, list []Metric) error
	// Metrics calls f for every Metric of the days, the oldest first, and ends with f's error.
	Metrics(ctx context.Context, days Span, f func(Metric) error) error
	// MetricSums adds the metrics since a moment up by operation, the most frequent first.
	MetricSums(ctx context.Context, since time.Time) ([]MetricSum, error)
	// Savings returns the tasks that were noted both ways, those with the greatest reduction first.
	Savings(ctx context.Context, limit int) ([]Saving, error)
	// TokenTrend returns the days on which tasks with AURORA were noted, in order.
	TokenTrend(ctx context.Context) ([]DayTokens, error)
	// ProviderEffects sums up the providers of the questions of the days, those that are cited most first.
	ProviderEffects(ctx context.Context, days Span) ([]ProviderEffect, error)
	// Ratings returns the answers of the days that were rated.
	Ratings(ctx context.Context, days Span) ([]Rating, error)
	// Growth returns the days on which memory gained records that are still there, in order. zone gives the calendar.
	Growth(ctx context.Context, zone *time.Location) ([]Growth, error)
}
