package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/lsp/daemon"
)

// asksPerson reports whether somebody can answer: what is read and written is a terminal.
func (c *cli) asksPerson() bool { return c.errTTY && !c.json }

// readLine reads a line that the person types. It ends with ctx; then the process is about to end, too.
func (c *cli) readLine(ctx context.Context) (line string, ok bool, err error) {
	c.typing.Lock()
	defer c.typing.Unlock()
	if c.typed == nil {
		c.typed = bufio.NewReader(c.in)
	}
	type read struct {
		line string
		err  error
	}
	done := make(chan read, 1)
	go func() {
		line, err := c.typed.ReadString('\n')
		done <- read{line, err}
	}()
	select {
	case r := <-done:
		return strings.TrimSpace(r.line), r.err == nil || r.line != "", nil
	case <-ctx.Done():
		fmt.Fprintln(c.err)
		return "", false, ctx.Err()
	}
}

// askPerson implements engine.Asker on the terminal. An empty line takes the default.
func (c *cli) askPerson(ctx context.Context, q engine.Question) (string, bool, error) {
	fmt.Fprintf(c.err, "\n%s asks: %s\n", display.Clean(q.AgentID), display.CleanLines(q.Text))
	for i, choice := range q.Choices {
		fmt.Fprintf(c.err, "  %d) %s\n", i+1, display.Clean(choice))
	}
	prompt := "> "
	if q.Default != "" {
		prompt = "[" + display.Clean(q.Default) + "] > "
	}
	for {
		fmt.Fprint(c.err, prompt)
		line, ok, err := c.readLine(ctx)
		if err != nil || !ok || line == "" {
			return "", false, err
		}
		answer, ok := choose(line, q.Choices)
		if ok {
			return answer, true, nil
		}
		fmt.Fprintf(c.err, "Type a number from 1 to %d, or one of the answers; an empty line declines.\n", len(q.Choices))
	}
}

// choose returns the choice that a line means: its number, its text, or what only one of them begins with.
func choose(line string, choices []string) (string, bool) {
	if len(choices) == 0 {
		return line, true
	}
	if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(choices) {
		return choices[n-1], true
	}
	found, times := "", 0
	for _, choice := range choices {
		if strings.EqualFold(choice, line) {
			return choice, true
		}
		if strings.HasPrefix(strings.ToLower(choice), strings.ToLower(line)) {
			found, times = choice, times+1
		}
	}
	return found, times == 1
}

// A queryCall is a question to a daemon.
type queryCall struct {
	engine.QueryRequest
	Person bool   // somebody can answer agents
	Lender string // who lends a model, such as mcp; "" for nobody
}

// A toldEvent is what a daemon says of a query: an event, or a question to the person or to a model that is lent, which
// another call answers.
type toldEvent struct {
	engine.Progress
	Question *engine.Question `json:",omitempty"`
	Lent     *lentRequest     `json:",omitempty"`
	Ticket   string           `json:",omitempty"` // of the question
}

// A personReply answers the question of a ticket.
type personReply struct {
	Ticket string
	Answer string
	OK     bool
}

// pendingQuestions are those that a daemon waits for.
type pendingQuestions struct {
	mu   sync.Mutex
	open map[string]chan personReply
}

// asker puts questions by tell, and waits for the call that answers.
func (p *pendingQuestions) asker(tell func(any)) engine.Asker {
	return func(ctx context.Context, q engine.Question) (string, bool, error) {
		ticket, reply := rand.Text(), make(chan personReply, 1)
		p.mu.Lock()
		if p.open == nil {
			p.open = map[string]chan personReply{}
		}
		p.open[ticket] = reply
		p.mu.Unlock()
		defer func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			delete(p.open, ticket)
		}()
		tell(toldEvent{Question: &q, Ticket: ticket})
		select {
		case r := <-reply:
			return r.Answer, r.OK, nil
		case <-ctx.Done():
			return "", false, ctx.Err()
		}
	}
}

// answer hands a reply to the one who waits. A ticket that nobody waits for any more is no error.
func (p *pendingQuestions) answer(r personReply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if reply := p.open[r.Ticket]; reply != nil {
		delete(p.open, r.Ticket)
		reply <- r
	}
}

// answerQuery answers the query of a command in a daemon.
func (p *parts) answerQuery(ctx context.Context, r queryCall, tell func(any)) (*engine.QueryResult, error) {
	var one sync.Mutex // events and questions come from several goroutines
	telling := func(v any) {
		one.Lock()
		defer one.Unlock()
		tell(v)
	}
	if r.Person {
		ctx = engine.WithAsker(ctx, p.pending.asker(telling))
	}
	if r.Lender != "" {
		models, err := engine.LentModels(r.Lender, farModel{r.Lender, &p.lent, telling, ctx})
		if err != nil {
			return nil, err
		}
		ctx = engine.WithModels(ctx, models)
	}
	return p.engine.Query(ctx, r.QueryRequest, func(event engine.Progress) { telling(toldEvent{Progress: event}) })
}

// told passes on what a daemon says of a query; a question is answered beside the events that follow it.
func (r *remoteEngine) told(ctx context.Context, sink func(engine.Progress), answering *sync.WaitGroup) func(json.RawMessage) {
	ask := engine.AskerOf(ctx)
	_, lender := engine.Lender(ctx)
	return func(raw json.RawMessage) {
		var event toldEvent
		switch {
		case json.Unmarshal(raw, &event) != nil:
		case event.Question != nil && ask != nil:
			answering.Go(func() {
				answer, ok, err := ask(ctx, *event.Question)
				if err != nil {
					return // the query ends with ctx
				}
				_ = daemon.Call(ctx, r.place, r.build, callAnswer, personReply{event.Ticket, answer, ok}, &struct{}{}, nil)
			})
		case event.Lent != nil && lender != nil:
			answering.Go(func() { r.lend(ctx, lender, event.Ticket, event.Lent) })
		case event.Question == nil && event.Lent == nil && sink != nil:
			sink(event.Progress)
		}
	}
}
