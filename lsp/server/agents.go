package server

import (
	"context"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api/jsonrpc"
	lsp "go.lsp.dev/protocol"
)

// askPatience is how long a person may take to answer an agent.
const askPatience = 15 * time.Minute

// askPerson lets agents ask the person behind the client. It implements engine.Asker.
func (s *session) askPerson(ctx context.Context, q engine.Question) (string, bool, error) {
	patient, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	ask := s.askPlainly
	if s.client.Load().aurora.Ask {
		ask = func(ctx context.Context, q engine.Question) (string, bool, error) { return jsonrpc.Ask(ctx, s.conn, q) }
	}
	answer, ok, err := ask(patient, q)
	if ctx.Err() != nil {
		return "", false, ctx.Err()
	}
	if err != nil { // a client that can't ask, or a person who has left: the agent goes on without an answer
		s.log.Info("the client did not ask", "agent", q.AgentID, "err", err)
		return "", false, nil
	}
	return answer, ok, nil
}

// askPlainly puts the question to a client that only knows LSP, where a person can choose and not write.
func (s *session) askPlainly(ctx context.Context, q engine.Question) (answer string, ok bool, err error) {
	choices := q.Choices
	if len(choices) == 0 && q.Default != "" {
		choices = []string{q.Default}
	}
	if len(choices) == 0 {
		return "", false, nil
	}
	params := &lsp.ShowMessageRequestParams{Type: lsp.MessageTypeInfo, Message: q.AgentID + " asks: " + q.Text}
	for _, choice := range choices {
		params.Actions = append(params.Actions, lsp.MessageActionItem{Title: choice})
	}
	chosen, err := s.conn.Client().ShowMessageRequest(ctx, params)
	if err != nil || chosen == nil {
		return "", false, err
	}
	return chosen.Title, true, nil
}
