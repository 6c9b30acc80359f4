package workspace

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"sync"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// A QueryCall is a question to a daemon.
type QueryCall struct {
	engine.QueryRequest
	Person bool   // somebody can answer agents
	Lender string // who lends a model, such as mcp; "" for nobody
}

// A ToldEvent is what a daemon says of a query: an event, or a question to the person or to a model that is lent, which
// another call answers.
type ToldEvent struct {
	engine.Progress
	Question *engine.Question `json:",omitempty"`
	Lent     *lentRequest     `json:",omitempty"`
	Ticket   string           `json:",omitempty"` // of the question
}

// A PersonReply answers the question of a ticket.
type PersonReply struct {
	Ticket string
	Answer string
	OK     bool
}

// pendingQuestions are those that a daemon waits for.
type pendingQuestions struct {
	mu   sync.Mutex
	open map[string]chan PersonReply
}

// asker puts questions by tell, and waits for the call that answers.
func (p *pendingQuestions) asker(tell func(any)) engine.Asker {
	return func(ctx context.Context, q engine.Question) (string, bool, error) {
		ticket, reply := rand.Text(), make(chan PersonReply, 1)
		p.mu.Lock()
		if p.open == nil {
			p.open = map[string]chan PersonReply{}
		}
		p.open[ticket] = reply
		p.mu.Unlock()
		defer func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			delete(p.open, ticket)
		}()
		tell(ToldEvent{Question: &q, Ticket: ticket})
		select {
		case r := <-reply:
			return r.Answer, r.OK, nil
		case <-ctx.Done():
			return "", false, ctx.Err()
		}
	}
}

// answer hands a reply to the one who waits. A ticket that nobody waits for any more is no error.
func (p *pendingQuestions) answer(r PersonReply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if reply := p.open[r.Ticket]; reply != nil {
		delete(p.open, r.Ticket)
		reply <- r
	}
}

// answerQuery answers the query of a command in a daemon.
func (p *Parts) answerQuery(ctx context.Context, r QueryCall, tell func(any)) (*engine.QueryResult, error) {
	var one sync.Mutex // events and questions come from several goroutines
	telling := func(v any) {
		one.Lock()
		defer one.Unlock()
		tell(v)
	}
	if r.Person {
		r.Ask = p.pending.asker(telling)
	}
	if r.Lender != "" {
		models, err := engine.LentModels(r.Lender, farModel{r.Lender, &p.lent, telling, ctx})
		if err != nil {
			return nil, err
		}
		r.Models = models
	}
	return p.Engine.Query(ctx, r.QueryRequest, func(event engine.Progress) { telling(ToldEvent{Progress: event}) })
}

// told passes on what a daemon says of a query; a question is answered beside the events that follow it.
func (r *RemoteEngine) told(ctx context.Context, by engine.Caller, sink func(engine.Progress), answering *sync.WaitGroup) func(json.RawMessage) {
	ask := by.Ask
	var lender llm.Generator
	if by.Models != nil {
		lender = by.Models.Lender()
	}
	return func(raw json.RawMessage) {
		var event ToldEvent
		switch {
		case json.Unmarshal(raw, &event) != nil:
		case event.Question != nil && ask != nil:
			answering.Go(func() {
				answer, ok, err := ask(ctx, *event.Question)
				if err != nil {
					return // the query ends with ctx
				}
				_ = daemon.Call(ctx, r.Place, r.Build, CallAnswer, PersonReply{event.Ticket, answer, ok}, &struct{}{}, nil)
			})
		case event.Lent != nil && lender != nil:
			answering.Go(func() { r.lend(ctx, lender, event.Ticket, event.Lent) })
		case event.Question == nil && event.Lent == nil && sink != nil:
			sink(event.Progress)
		}
	}
}
