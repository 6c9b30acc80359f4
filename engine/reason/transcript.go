package reason

import (
	"context"
	"slices"
	"sync"

	"github.com/aurora-sidecar/aurora/memory/convlog"
)

// A transcript is what agents asked the person, and what they were told.
type transcript struct {
	mu   sync.Mutex
	list []convlog.Interaction
}

// declined is noted as the reply of a person who gave none.
const declined = "(declined)"

// noting returns an Asker whose questions and replies are noted; nil for nil.
func (q *reasoning) noting(ask Asker) Asker {
	if ask == nil {
		return nil
	}
	return func(ctx context.Context, question Question) (string, bool, error) {
		at := q.reasoner.opts.Now()
		reply, ok, err := ask(ctx, question)
		if err != nil {
			return reply, ok, err
		}
		statement := reply
		if !ok {
			statement = declined
		}
		q.transcript.mu.Lock()
		defer q.transcript.mu.Unlock()
		q.transcript.list = append(q.transcript.list, convlog.Interaction{At: at, Question: question.AgentID + ": " + question.Text, Reply: statement})
		return reply, ok, nil
	}
}

func (t *transcript) all() []convlog.Interaction {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.list)
}
