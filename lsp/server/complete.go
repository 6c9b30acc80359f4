package server

import (
	"cmp"
	"context"
	"errors"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/lsp/protocol"
)

// An editorModel asks the model that the client lends by aurora/complete.
type editorModel struct{ s *session }

// lend adds the client's models to a query's context, if it has announced any.
func (s *session) lend(ctx context.Context) context.Context {
	if !s.client.Load().aurora.Complete {
		return ctx
	}
	s.lentOnce.Do(func() {
		models, err := engine.LentModels("editor", editorModel{s})
		if err != nil {
			s.log.Warn("use the client's model", "err", err)
			return
		}
		s.lent = models
	})
	if s.lent == nil {
		return ctx
	}
	return engine.WithModels(ctx, s.lent)
}

// Complete implements llm.Generator.
func (m editorModel) Complete(ctx context.Context, r llm.Request) (*llm.Response, error) {
	params := protocol.CompleteParams{Tier: cmp.Or(r.Model, "reasoning"), MaxTokens: r.MaxTokens, Temperature: r.Temperature}
	prompt := 0
	for _, message := range r.Messages {
		params.Messages = append(params.Messages, protocol.Message(message))
		prompt += llm.EstimateTokens(message.Content)
	}
	if r.Schema != nil {
		params.Schema = r.Schema.Source()
	}
	raw, err := encode(params)
	if err != nil {
		return nil, err
	}
	var reply protocol.CompleteResult
	if err := m.s.conn.Call(ctx, protocol.MethodComplete, raw, &reply); err != nil {
		switch {
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return nil, &llm.Error{Fault: llm.Slow, Provider: "editor", Attempts: 1, Message: "no answer in time"}
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
		// Its cause is not kept: the client's code is no answer to the client's own request.
		return nil, &llm.Error{Fault: llm.Declined, Provider: "editor", Attempts: 1, Message: err.Error()}
	}
	if reply.Text == "" {
		return nil, &llm.Error{Fault: llm.Declined, Provider: "editor", Attempts: 1, Message: "the reply is empty"}
	}
	usage := llm.Usage{Prompt: prompt, Completion: llm.EstimateTokens(reply.Text), Estimated: true}
	if reply.Usage != nil {
		usage = llm.Usage{Prompt: max(0, reply.Usage.PromptTokens), Completion: max(0, reply.Usage.CompletionTokens)}
	}
	return &llm.Response{Text: reply.Text, Model: reply.Model, Usage: usage}, nil
}

// Stream implements llm.Generator. The contract has no streams, so the reply comes in one piece.
func (m editorModel) Stream(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Response, error) {
	response, err := m.Complete(ctx, r)
	if err == nil {
		sink(llm.Delta{Text: response.Text})
	}
	return response, err
}
