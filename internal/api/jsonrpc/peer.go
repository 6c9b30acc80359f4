package jsonrpc

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/internal/api"
	"go.lsp.dev/jsonrpc2"
)

// A Peer is the client at the other end of a connection.
type Peer interface {
	Call(ctx context.Context, method string, params, result any) error
}

// Encode marshals a value of the contract.
func Encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// call asks the peer something of the contract.
func call(ctx context.Context, p Peer, method string, params, result any) error {
	raw, err := Encode(params)
	if err != nil {
		return err
	}
	var reply json.RawMessage
	if err := p.Call(ctx, method, raw, &reply); err != nil {
		return err
	}
	return api.Decode(reply, result)
}

// Ask puts the question of an agent to the person at the other end, by aurora/ask.
func Ask(ctx context.Context, p Peer, q engine.Question) (answer string, ok bool, err error) {
	var reply api.AskResult
	if err := call(ctx, p, api.MethodAsk, api.FromQuestion(q), &reply); err != nil {
		return "", false, err
	}
	return reply.Answer, !reply.Cancelled && reply.Answer != "", nil
}

// Model is the model that the other end lends by aurora/complete; lender is its name in accounts and errors.
func Model(p Peer, lender string) llm.Generator { return model{p, lender} }

type model struct {
	peer   Peer
	lender string
}

// Complete implements llm.Generator.
func (m model) Complete(ctx context.Context, r llm.Request) (*llm.Response, error) {
	params := api.CompleteParams{Tier: cmp.Or(r.Model, "reasoning"), MaxTokens: r.MaxTokens, Temperature: r.Temperature}
	prompt := 0
	for _, message := range r.Messages {
		params.Messages = append(params.Messages, api.Message{Role: message.Role, Content: message.Content})
		prompt += llm.EstimateTokens(message.Content)
	}
	if r.Schema != nil {
		params.Schema = r.Schema.Source()
	}
	var reply api.CompleteResult
	if err := call(ctx, m.peer, api.MethodComplete, params, &reply); err != nil {
		return nil, m.failure(ctx, err)
	}
	if reply.Text == "" {
		return nil, &llm.Error{Fault: llm.Declined, Provider: m.lender, Attempts: 1, Message: "the reply is empty"}
	}
	usage := llm.Usage{Prompt: prompt, Completion: llm.EstimateTokens(reply.Text), Estimated: true}
	if reply.Usage != nil {
		usage = llm.Usage{Prompt: max(0, reply.Usage.PromptTokens), Completion: max(0, reply.Usage.CompletionTokens)}
	}
	return &llm.Response{Text: reply.Text, Model: reply.Model, Usage: usage, Truncated: reply.Truncated}, nil
}

// failure says what became of a request. Its cause is not kept: the client's code is no answer to the client's own
// request.
func (m model) failure(ctx context.Context, err error) error {
	failed := &llm.Error{Fault: llm.Declined, Provider: m.lender, Attempts: 1, Message: err.Error()}
	var wire *jsonrpc2.Error
	var data api.ErrorData
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		failed.Fault, failed.Message = llm.Slow, "no answer in time"
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &wire) && json.Unmarshal(wire.Data, &data) == nil && data.Kind == string(engine.LLMUnavailable):
		failed.Fault, failed.Message = llm.Fault(data.Detail), wire.Message
	}
	return failed
}

// Stream implements llm.Generator. The contract has no streams, so the reply comes in one piece.
func (m model) Stream(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Response, error) {
	response, err := m.Complete(ctx, r)
	if err == nil {
		sink(llm.Delta{Text: response.Text})
	}
	return response, err
}
