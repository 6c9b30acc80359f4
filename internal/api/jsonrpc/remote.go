package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/internal/api"
	"go.lsp.dev/jsonrpc2"
)

// A Remote is an api.Backend in another process.
type Remote struct {
	// Dial connects with it. Each call has a connection of its own, so that hanging up ends that call.
	Dial func(context.Context) (io.ReadWriteCloser, error)
}

// Do implements api.Backend.
func (r Remote) Do(ctx context.Context, o *api.Operation, params any, by api.Caller) (any, error) {
	rwc, err := r.Dial(ctx)
	if err != nil {
		return nil, err
	}
	living, cancel := context.WithCancel(ctx)
	h := &host{by: by, ctx: living}
	c := newConn(rwc)
	c.Go(living, h.handle)
	defer func() { // a question that nobody waits for any more is taken back
		cancel()
		_ = rwc.Close()
		<-c.Done()
	}()
	defer context.AfterFunc(ctx, func() { _ = rwc.Close() })()
	result := o.NewResult()
	err = c.Notify(ctx, methodHello, h.hello())
	if err == nil {
		err = c.Call(ctx, o.Method(), params, result)
	}
	var wire *jsonrpc2.Error
	switch {
	case err == nil:
		return result, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &wire):
		return nil, toError(wire)
	}
	return nil, fmt.Errorf("the daemon ended before it answered: %w", err)
}

// A host answers what the other end asks while a call runs.
type host struct {
	by  api.Caller
	ctx context.Context // of the call
}

// hello says what can be asked.
func (h *host) hello() hello {
	name, lender := h.lender()
	return hello{Agent: h.by.Agent, Durable: h.by.Durable, Lender: name, Client: api.ClientFeatures{
		Ask: h.by.Ask != nil, Complete: lender != nil, Progress: h.by.Progress != nil,
	}}
}

func (h *host) lender() (string, llm.Generator) {
	if h.by.Models == nil {
		return "", nil
	}
	return h.by.Models.Name, h.by.Models.Lender()
}

func (h *host) handle(ctx context.Context, request *jsonrpc2.Request) (any, error) {
	switch method := strings.Clone(request.Method()); {
	case method == api.MethodProgress && h.by.Progress != nil: // in order, so not Async
		var p api.ProgressParams
		if json.Unmarshal(request.Params(), &p) == nil {
			h.by.Progress(p.ToProgress())
		}
		return nil, nil
	case method == api.MethodAsk && h.by.Ask != nil:
		jsonrpc2.Async(ctx)
		return h.ask(request.Params())
	case method == api.MethodComplete && h.by.Models != nil:
		jsonrpc2.Async(ctx)
		return h.complete(request.Params())
	case request.IsCall():
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "%s was not announced", method)
	}
	return nil, nil
}

func (h *host) ask(raw []byte) (any, error) {
	var p api.AskParams
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	answer, ok, err := h.by.Ask(h.ctx, engine.Question{QueryID: p.QueryID, AgentID: p.AgentID, Text: p.Question, Choices: p.Choices, Default: p.Default})
	if err != nil {
		return nil, err
	}
	return api.AskResult{Answer: answer, Cancelled: !ok}, nil
}

// complete asks the model that is lent. It gets no schema: prompts say what form they want, and the other end checks the
// reply.
func (h *host) complete(raw []byte) (any, error) {
	var p api.CompleteParams
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	request := llm.Request{Model: p.Tier, MaxTokens: p.MaxTokens, Temperature: p.Temperature}
	for _, message := range p.Messages {
		request.Messages = append(request.Messages, llm.Message{Role: message.Role, Content: message.Content})
	}
	_, lender := h.lender()
	response, err := lender.Complete(h.ctx, request)
	if err != nil {
		fault, message := llm.Declined, err.Error()
		var failed *llm.Error
		if errors.As(err, &failed) {
			fault, message = failed.Fault, failed.Message
		}
		return nil, FromError(&engine.Error{Kind: engine.LLMUnavailable, Message: message, Detail: string(fault)})
	}
	reply := api.CompleteResult{Text: response.Text, Model: response.Model, Truncated: response.Truncated}
	if !response.Usage.Estimated {
		reply.Usage = &api.Usage{PromptTokens: response.Usage.Prompt, CompletionTokens: response.Usage.Completion}
	}
	return reply, nil
}
