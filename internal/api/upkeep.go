package api

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/recall"
)

// RateParams are the parameters of rate.
type RateParams struct {
	IDs    []string `json:"ids"`
	Action string   `json:"action"`          // rated, or a use: opened, accepted, copied, edited, cited, returned, rejected
	Value  float64  `json:"value,omitempty"` // of rated: -1 to 1
}

// RateResult is the result of rate.
type RateResult struct {
	Noted int `json:"noted"`
}

// Rate notes what was done with records and code.
var Rate = Define(Operation{
	Name: "rate", Title: "Rate", Doors: HTTP, Effect: Adds,
	Doc: "Rate memory or code, or tell how it was used; activation learns from it.",
}, func(ctx context.Context, c *Call, p *RateParams) (*RateResult, error) {
	if err := c.recalls(true); err != nil {
		return nil, err
	}
	if err := c.Engine.Memory().Use(ctx, p.IDs, p.Action, p.Value); err != nil {
		return nil, err
	}
	return &RateResult{Noted: len(p.IDs)}, nil
})

// RelateParams are the parameters of relate.
type RelateParams struct {
	From   string  `json:"from"`
	To     string  `json:"to"`
	Type   string  `json:"type"`             // such as contradicts, explains
	Weight float64 `json:"weight,omitempty"` // 0..1
}

// RelateResult is the result of relate.
type RelateResult struct {
	Related int `json:"related"`
}

// Relate links records.
var Relate = Define(Operation{
	Name: "relate", Title: "Link records", Doors: HTTP, Effect: Adds,
	Doc: "Link two memory records, or a record with code; activation spreads along links.",
}, func(ctx context.Context, c *Call, p *RelateParams) (*RelateResult, error) {
	if err := c.recalls(true); err != nil {
		return nil, err
	}
	if err := c.Engine.Ledger().Relate(ctx, []engine.Link{engine.Link(*p)}); err != nil {
		return nil, err
	}
	c.changed()
	return &RelateResult{Related: 1}, nil
})

// OutcomeParams are the parameters of outcome.
type OutcomeParams struct {
	Query     string   `json:"query"`
	Score     float64  `json:"score"`               // 0..1: how well it went
	Result    string   `json:"result,omitempty"`    // what came out; remembered when the score allows
	Helpful   []string `json:"helpful,omitempty"`   // ids of what helped
	Unhelpful []string `json:"unhelpful,omitempty"` // ids of what was retrieved and did not help
}

// OutcomeResult is the result of outcome.
type OutcomeResult struct {
	Cached    bool `json:"cached"`    // good enough to be remembered
	Pattern   bool `json:"pattern"`   // good enough to be an example
	Difficult bool `json:"difficult"` // the query was marked
	Adjusted  int  `json:"adjusted"`  // activations
}

// Outcome learns from how a query went.
var Outcome = Define(Operation{
	Name: "outcome", Title: "Report an outcome", Doors: HTTP, Effect: Adds,
	Doc: "Tell how well a query went; what helped becomes more active, and a query that went badly is marked.",
}, func(ctx context.Context, c *Call, p *OutcomeParams) (*OutcomeResult, error) {
	if err := c.recalls(true); err != nil {
		return nil, err
	}
	o := engine.Outcome{Query: p.Query, Score: p.Score, Helpful: p.Helpful, Unhelpful: p.Unhelpful}
	learned, err := c.Engine.Ledger().Outcome(ctx, o, p.Result)
	if err != nil {
		return nil, err
	}
	c.changed()
	return &OutcomeResult{Cached: learned.Cached, Pattern: learned.Pattern, Difficult: learned.Difficult, Adjusted: learned.Adjusted}, nil
})

// GoalsParams are the parameters of goals. With an id, that goal is changed, or made.
type GoalsParams struct {
	ID     string `json:"id,omitempty"`
	Title  string `json:"title,omitempty"`
	Status string `json:"status,omitempty"` // active, done, dropped
}

// GoalsResult is the result of goals: all of them, or the one with the id.
type GoalsResult struct {
	Goals []Goal `json:"goals"`
}

// A Goal is what records are made for.
type Goal struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Status  string `json:"status"` // active, done, dropped
	Records int    `json:"records"`
	Updated string `json:"updated"`
}

func fromGoals(goals []engine.Goal, id string) []Goal {
	out := []Goal{}
	for _, g := range goals {
		if id == "" || g.ID == id {
			out = append(out, Goal{ID: g.ID, Title: g.Title, Status: g.Status, Records: g.Records, Updated: timestamp(g.UpdatedAt)})
		}
	}
	return out
}

// Goals lists goals.
var Goals = Define(Operation{
	Name: "goals", Title: "Goals", Doors: HTTP, Effect: Adds,
	Doc: "List the goals that records were made for, or change the title or the status of one.",
}, func(ctx context.Context, c *Call, p *GoalsParams) (*GoalsResult, error) {
	if err := c.recalls(p.ID != ""); err != nil {
		return nil, err
	}
	if p.ID != "" {
		if err := c.Engine.Ledger().SetGoal(ctx, engine.Goal{ID: p.ID, Title: p.Title, Status: p.Status}); err != nil {
			return nil, err
		}
		c.changed()
	}
	goals, err := c.Engine.Ledger().Goals(ctx)
	if err != nil {
		return nil, err
	}
	return &GoalsResult{Goals: fromGoals(goals, p.ID)}, nil
})

// MemoryStatsParams are the parameters of memoryStats.
type MemoryStatsParams struct {
	Days int `json:"days,omitempty"` // that metrics sum up; default 30
}

// MemoryStatsResult is the result of memoryStats.
type MemoryStatsResult struct {
	MemoryCounts
	Conversations int          `json:"conversations"` // whose text is indexed
	Goals         []Goal       `json:"goals"`
	Metrics       []MetricSum  `json:"metrics"`            // of what was asked
	Practice      *AnswerStats `json:"practice,omitempty"` // of answers that are remembered
}

// A MetricSum is what one operation was asked for.
type MetricSum struct {
	Op           string `json:"op"`
	Count        int    `json:"count"`
	TokensInput  int    `json:"tokensInput"`
	TokensOutput int    `json:"tokensOutput"`
	Last         string `json:"last"`
}

// AnswerStats say how well the tools and agents of answers did.
type AnswerStats struct {
	Tools  []AnswerStat `json:"tools"`  // combinations, in the order in which they were used: "grep, edit"
	Agents []AnswerStat `json:"agents"` // by id
}

// An AnswerStat says how well one did.
type AnswerStat struct {
	Name  string  `json:"name"`
	Times int     `json:"times"` // answers that took the combination; subgoals that the agent worked on
	Score float64 `json:"score"` // 0..1: the mean of those answers
}

func fromPractice(list []recall.Practised) []AnswerStat {
	out := make([]AnswerStat, len(list))
	for i, p := range list {
		out[i] = AnswerStat(p)
	}
	return out
}

// metricDays is how far back memoryStats looks unless told otherwise.
const metricDays = 30

// MemoryStats counts what is remembered.
var MemoryStats = Define(Operation{
	Name: "memoryStats", Title: "Memory statistics", Doors: HTTP,
	Doc: "Count what is remembered, and what was asked lately.",
}, func(ctx context.Context, c *Call, p *MemoryStatsParams) (*MemoryStatsResult, error) {
	status, err := c.Engine.Status(ctx)
	if err != nil {
		return nil, err
	}
	days := metricDays
	if p.Days > 0 {
		days = p.Days
	}
	use, err := c.Engine.MemoryUse(ctx, days)
	if err != nil {
		return nil, err
	}
	result := &MemoryStatsResult{
		MemoryCounts: MemoryCounts(status.Memory), Conversations: use.Conversations, Goals: fromGoals(use.Goals, ""), Metrics: []MetricSum{},
	}
	for _, m := range use.Asked {
		result.Metrics = append(result.Metrics, MetricSum{Op: m.Op, Count: m.Count, TokensInput: m.TokensInput, TokensOutput: m.TokensOutput, Last: timestamp(m.Last)})
	}
	if use.Practice != nil {
		result.Practice = &AnswerStats{Tools: fromPractice(use.Practice.Tools), Agents: fromPractice(use.Practice.Agents)}
	}
	return result, nil
})
