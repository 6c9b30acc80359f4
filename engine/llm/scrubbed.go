package llm

import (
	"context"

	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// scrubbed takes secrets of known formats out of whatever a model is asked, wherever the text came from.
type scrubbed struct{ next Generator }

// Complete implements Generator.
func (g scrubbed) Complete(ctx context.Context, r Request) (*Response, error) {
	return g.next.Complete(ctx, withoutSecrets(r))
}

// Stream implements Generator.
func (g scrubbed) Stream(ctx context.Context, r Request, sink func(Delta)) (*Response, error) {
	return g.next.Stream(ctx, withoutSecrets(r), sink)
}

func withoutSecrets(r Request) Request {
	messages := make([]Message, len(r.Messages))
	for i, m := range r.Messages {
		m.Content, _ = scrub.Text(m.Content)
		calls := make([]ToolCall, len(m.Calls))
		for j, c := range m.Calls {
			c.Arguments, _ = scrub.Text(c.Arguments)
			calls[j] = c
		}
		if m.Calls != nil {
			m.Calls = calls
		}
		messages[i] = m
	}
	r.Messages = messages
	return r
}
