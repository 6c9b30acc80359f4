package workspace

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// A lentRequest is a request to a model that the process at the other end lends. It has no schema: prompts say what form
// they want, and the daemon checks the reply.
type lentRequest struct {
	Purpose, Model string
	Messages       []llm.Message
	MaxTokens      int
	Temperature    float64
}

// A lentReply is what came of it.
type lentReply struct {
	Ticket   string
	Response *llm.Response
	Fault    llm.Fault // when there is no response
	Provider string
	Message  string
}

// lentModels are the requests that a daemon waits for.
type lentModels struct {
	mu   sync.Mutex
	open map[string]chan lentReply
}

// A farModel asks a model that a process lends which asks the daemon: it tells the request, and another call replies.
type farModel struct {
	name   string
	lent   *lentModels
	tell   func(any)
	living context.Context // of the query
}

// Complete implements llm.Generator.
func (m farModel) Complete(ctx context.Context, r llm.Request) (*llm.Response, error) {
	request := &lentRequest{Purpose: r.Purpose, Model: r.Model, Messages: r.Messages, MaxTokens: r.MaxTokens, Temperature: r.Temperature}
	ticket, reply := rand.Text(), make(chan lentReply, 1)
	m.lent.mu.Lock()
	if m.lent.open == nil {
		m.lent.open = map[string]chan lentReply{}
	}
	m.lent.open[ticket] = reply
	m.lent.mu.Unlock()
	defer func() {
		m.lent.mu.Lock()
		defer m.lent.mu.Unlock()
		delete(m.lent.open, ticket)
	}()
	m.tell(ToldEvent{Lent: request, Ticket: ticket})
	select {
	case got := <-reply:
		if got.Response == nil {
			return nil, &llm.Error{Fault: got.Fault, Provider: got.Provider, Attempts: 1, Message: got.Message}
		}
		return got.Response, nil
	case <-ctx.Done():
		if m.living.Err() == nil {
			return nil, &llm.Error{Fault: llm.Slow, Provider: m.name, Attempts: 1, Message: "no answer in time"}
		}
		return nil, ctx.Err()
	}
}

// Stream implements llm.Generator: the reply comes in one piece.
func (m farModel) Stream(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Response, error) {
	response, err := m.Complete(ctx, r)
	if err == nil {
		sink(llm.Delta{Text: response.Text})
	}
	return response, err
}

// answer hands a reply to the one who waits. A ticket that nobody waits for any more is no error.
func (l *lentModels) answer(r lentReply) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if reply := l.open[r.Ticket]; reply != nil {
		delete(l.open, r.Ticket)
		reply <- r
	}
}

// lend asks a model for a daemon, and calls the daemon with the reply.
func (r *RemoteEngine) lend(ctx context.Context, lender llm.Generator, ticket string, asked *lentRequest) {
	reply := lentReply{Ticket: ticket}
	response, err := lender.Complete(ctx, llm.Request{
		Purpose: asked.Purpose, Model: asked.Model, Messages: asked.Messages, MaxTokens: asked.MaxTokens, Temperature: asked.Temperature,
	})
	var failure *llm.Error
	switch {
	case ctx.Err() != nil:
		return // the query has ended
	case errors.As(err, &failure):
		reply.Fault, reply.Provider, reply.Message = failure.Fault, failure.Provider, failure.Message
	case err != nil:
		reply.Fault, reply.Message = llm.Declined, err.Error()
	}
	reply.Response = response
	_ = daemon.Call(ctx, r.Place, r.Build, callLent, reply, &struct{}{}, nil) // without it the query ends by its deadline
}
