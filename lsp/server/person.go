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

// A person is who sits before the client and may be asked.
type person struct {
	*peer
	engine *engine.Engine
}

// ask lets agents ask the person behind the client. It implements engine.Asker.
func (p *person) ask(ctx context.Context, q engine.Question) (string, bool, error) {
	patient, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	ask := p.askPlainly
	if p.client.Load().aurora.Ask {
		ask = func(ctx context.Context, q engine.Question) (string, bool, error) { return jsonrpc.Ask(ctx, p.conn, q) }
	}
	answer, ok, err := ask(patient, q)
	if ctx.Err() != nil {
		return "", false, ctx.Err()
	}
	if err != nil { // a client that can't ask, or a person who has left: the agent goes on without an answer
		p.log.Info("the client did not ask", "agent", q.AgentID, "err", err)
		return "", false, nil
	}
	return answer, ok, nil
}

// askPlainly puts the question to a client that only knows LSP, where a person can choose and not write.
func (p *person) askPlainly(ctx context.Context, q engine.Question) (answer string, ok bool, err error) {
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
	chosen, err := p.conn.Client().ShowMessageRequest(ctx, params)
	if err != nil || chosen == nil {
		return "", false, err
	}
	return chosen.Title, true, nil
}

// proceed is the choice that lets a query run at the budget's soft limit.
const proceed = "Proceed"

// confirm asks the person; no answer is a no. A client that can't ask goes on: the hard limit still holds.
func (p *person) confirm(ctx context.Context, refused *engine.Error) bool {
	chosen, err := p.conn.Client().ShowMessageRequest(ctx, &lsp.ShowMessageRequestParams{
		Type: lsp.MessageTypeWarning, Message: refused.Message + "\n" + refused.Remedy, Actions: []lsp.MessageActionItem{{Title: proceed}, {Title: "Cancel"}},
	})
	if err != nil {
		p.log.Info("the client did not ask about the budget", "err", err)
		return ctx.Err() == nil
	}
	return chosen != nil && chosen.Title == proceed
}
