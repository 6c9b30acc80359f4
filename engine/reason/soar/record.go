package soar

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/prompts"
)

// A Result is what a query leaves in memory.
type Result struct {
	Query    string
	Answer   string
	Level    Level
	Plan     *Plan
	Score    float64
	Pattern  bool // good enough to be an example for later plans
	Sources  []Source
	Unsolved []string // subgoals that failed
	Tools    []ToolUse
}

// A ToolUse says which tools the agent of a subgoal took.
type ToolUse struct {
	SubgoalID, AgentID string
	Tools              []string
}

// recordAnswer is phase 8: the only one that writes.
func recordAnswer(ctx context.Context, q *query) error {
	switch {
	case q.state.Rejected || q.state.Review == nil:
		q.run.Skip(Record, "nothing verified to remember")
		return nil
	case q.state.FellBack != "":
		q.run.Skip(Record, "it is not the whole answer")
		return nil
	case q.state.Option == NoReview:
		q.run.Skip(Record, "no model has reviewed it")
		return nil
	case q.state.Review.Overall < keepScore:
		q.run.Skip(Record, fmt.Sprintf("the score %.2f is below %.2g", q.state.Review.Overall, keepScore))
		return nil
	case len(q.state.Review.Problems) > 0:
		q.run.Skip(Record, "the answer does not hold against its sources")
		return nil
	case len(q.state.Cited) == 0:
		q.run.Skip(Record, "the answer cites nothing that could be checked")
		return nil
	case q.opts.Recorder == nil:
		q.run.Skip(Record, "there is no memory")
		return nil
	}
	return q.run.Do(Record, func() (string, error) {
		r := Result{
			Query: q.state.Query, Answer: q.state.Answer, Level: q.state.Assessment.Level, Plan: q.state.Plan, Score: min(q.state.Review.Overall, q.weakest()),
			Pattern: q.state.Review.Verdict == Pass && min(q.state.Review.Overall, q.weakest()) >= prompts.PatternScore, Sources: q.state.Cited,
		}
		for _, o := range q.state.Outcomes {
			if o.Failed() {
				r.Unsolved = append(r.Unsolved, o.Subgoal.Description)
			} else if tools := o.Envelope.Metadata.ToolsUsed; len(tools) > 0 {
				r.Tools = append(r.Tools, ToolUse{o.Subgoal.ID, o.Envelope.AgentID, tools})
			}
		}
		id, err := q.opts.Recorder.Record(ctx, r)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil { // the answer is worth more than its record
			q.state.warn("The answer could not be remembered: %v.", err)
			return "not remembered", nil
		}
		q.state.ChunkID = id
		if r.Pattern {
			return "remembered as a pattern", nil
		}
		return "remembered", nil
	})
}
