package soar

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine/reason/claims"
)

// A Question is what an agent wants to know of the person.
type Question struct {
	AgentID string
	Text    string
	Choices []string // empty lets the person write
	Default string
}

// An Asker puts a question to the person and waits. ok is false when the person declines or can't be asked; the error
// is that of ctx.
type Asker func(ctx context.Context, q Question) (answer string, ok bool, err error)

// asker is the one of a subgoal, nil without a person. Agents that work side by side ask one after the other.
func (q *query) asker(subgoal string) Asker {
	if q.opts.Ask == nil {
		return nil
	}
	return func(ctx context.Context, question Question) (string, bool, error) {
		q.asking.Lock()
		defer q.asking.Unlock()
		if err := ctx.Err(); err != nil {
			return "", false, err
		}
		q.run.Note(Collect, InProgress, subgoal+": "+question.AgentID+" asks: "+claims.Excerpt(question.Text))
		return q.opts.Ask(ctx, question)
	}
}
