package server

import (
	"context"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/lsp/protocol"
	lsp "go.lsp.dev/protocol"
)

func (s *session) agents(ctx context.Context, p *protocol.AgentsParams) (*protocol.AgentsResult, error) {
	l, err := s.engine.Agents(ctx, p.Refresh)
	if err != nil {
		return nil, err
	}
	return protocol.FromListing(l), nil
}

func (s *session) trust(ctx context.Context, p *protocol.TrustParams) (*protocol.TrustResult, error) {
	folder := ""
	if p.Folder != "" {
		path, ok := filePath(p.Folder)
		if !ok {
			return nil, protocol.InvalidParams("folder", fmt.Sprintf("%.200q is no file URI", p.Folder))
		}
		folder = path
	}
	folders, err := s.engine.Trust(ctx, folder, p.Trusted)
	if err != nil {
		return nil, err
	}
	return protocol.FromTrust(folders), nil
}

// askPatience is how long a person may take to answer an agent.
const askPatience = 15 * time.Minute

// withPerson lets agents ask the person behind the client.
func (s *session) withPerson(ctx context.Context) context.Context {
	return engine.WithAsker(ctx, func(ctx context.Context, q engine.Question) (string, bool, error) {
		asked, cancel := context.WithTimeout(ctx, askPatience)
		defer cancel()
		ask := s.askPlainly
		if s.client.Load().aurora.Ask {
			ask = s.askPerson
		}
		answer, ok, err := ask(asked, q)
		if ctx.Err() != nil {
			return "", false, ctx.Err()
		}
		if err != nil { // a client that can't ask, or a person who has left: the agent goes on without an answer
			s.log.Info("the client did not ask", "agent", q.AgentID, "err", err)
			return "", false, nil
		}
		return answer, ok, nil
	})
}

// askPerson puts the question by aurora/ask.
func (s *session) askPerson(ctx context.Context, q engine.Question) (answer string, ok bool, err error) {
	raw, err := encode(protocol.FromQuestion(q))
	if err != nil {
		return "", false, err
	}
	var reply protocol.AskResult
	if err := s.conn.Call(ctx, protocol.MethodAsk, raw, &reply); err != nil {
		return "", false, err
	}
	return reply.Answer, !reply.Cancelled && reply.Answer != "", nil
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
