package soar

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
)

// A Player answers from a recording what a query asks: prompts by their hash, questions by their words, tasks by agent and
// subgoal, each in the order in which they were recorded. It asks nobody. What was not recorded is an error that says
// so: then code, prompts or settings are no longer those of the recording.
type Player struct {
	mu        sync.Mutex
	calls     map[string][]Call
	lookups   map[string][]Lookup
	runs      map[string][]AgentRun
	located   map[Place]Located
	recording *Recording
}

// NewPlayer returns a player of a recording.
func NewPlayer(t *Recording) *Player {
	p := &Player{calls: map[string][]Call{}, lookups: map[string][]Lookup{}, runs: map[string][]AgentRun{}, located: map[Place]Located{}, recording: t}
	for _, c := range t.Calls {
		p.calls[c.Prompt] = append(p.calls[c.Prompt], c)
	}
	for _, l := range t.Lookups {
		p.lookups[l.key()] = append(p.lookups[l.key()], l)
	}
	for _, l := range t.Located {
		p.located[l.Place] = l
	}
	for _, r := range t.Runs {
		p.runs[r.key()] = append(p.runs[r.key()], r)
	}
	return p
}

func (l Lookup) key() string { return fmt.Sprintf("%d %d %s", l.Size.Hits, l.Size.Tokens, l.Question) }

func (r AgentRun) key() string { return r.Agent + " " + r.Subgoal }

// next takes the first of the entries under a key; the last one is given again when it is asked for once more.
func next[T any](p *Player, entries map[string][]T, key string) (T, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := entries[key]
	if len(list) == 0 {
		var none T
		return none, false
	}
	if len(list) > 1 {
		entries[key] = list[1:]
	}
	return list[0], true
}

// Complete implements llm.Generator.
func (p *Player) Complete(ctx context.Context, r llm.Request) (*llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c, ok := next(p, p.calls, hashOf(r))
	if !ok {
		return nil, &llm.Error{Fault: llm.Setup, Message: "the recording has no reply to this prompt for " + r.Purpose + ": prompts, settings or code are no longer those of then"}
	}
	if c.Fault != "" {
		return nil, &llm.Error{Fault: c.Fault, Status: c.Status, Attempts: c.Attempts, Message: "recorded: " + c.Error}
	}
	return &llm.Response{Text: c.Reply, Calls: slices.Clone(c.Wishes), Model: c.Model, Usage: c.Usage, Truncated: c.Truncated, Cached: true}, nil
}

// Stream implements llm.Generator. The reply comes in one piece.
func (p *Player) Stream(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Response, error) {
	response, err := p.Complete(ctx, r)
	if err == nil {
		sink(llm.Delta{Text: response.Text})
	}
	return response, err
}

// Retrieve implements Library.
func (p *Player) Retrieve(ctx context.Context, question string, size Size) ([]Source, error) {
	l, ok := next(p, p.lookups, Lookup{Question: question, Size: size}.key())
	if !ok {
		return nil, &llm.Error{Fault: llm.Setup, Message: fmt.Sprintf("the recording has no snippets for %q", claims.Excerpt(question))}
	}
	return append([]Source(nil), l.Sources...), ctx.Err()
}

// Use implements Toolbox.
func (p *Player) Use(ctx context.Context, c llm.ToolCall) (Finding, error) {
	for _, used := range p.recording.Tools {
		if used.Call.Name == c.Name && used.Call.Arguments == c.Arguments {
			return used.Finding, ctx.Err()
		}
	}
	return Finding{}, &llm.Error{Fault: llm.Setup, Message: "the recording has no result of " + c.Name}
}

// Contradicted implements claims.Grounds. What was not recorded is not contradicted.
func (p *Player) Contradicted(ctx context.Context, s claims.Statements) ([]string, error) {
	for _, h := range p.recording.Held {
		if h.Statements.Query == s.Query && h.Statements.NamesOnly == s.NamesOnly && slices.Equal(h.Statements.Texts, s.Texts) {
			return h.Wrong, ctx.Err()
		}
	}
	return nil, ctx.Err()
}

// At implements Locator.
func (p *Player) At(ctx context.Context, path string, line int) (Source, bool, error) {
	l := p.located[Place{path, line}]
	return l.Source, l.Found, ctx.Err()
}

// Personas returns the recorded personas.
func (p *Player) Personas() []Persona { return p.recording.Personas }

// Agents returns the recorded agents, besides the built-in ones.
func (p *Player) Agents() []Agent {
	agents := make([]Agent, len(p.recording.Cards))
	for i, c := range p.recording.Cards {
		agents[i] = playedAgent{p, c}
	}
	return agents
}

type playedAgent struct {
	player *Player
	card   Card
}

// Card implements Agent.
func (a playedAgent) Card() Card { return a.card }

// Run implements Agent.
func (a playedAgent) Run(ctx context.Context, t Task) (*Envelope, error) {
	r, ok := next(a.player, a.player.runs, AgentRun{Agent: a.card.ID, Subgoal: t.Subgoal.ID}.key())
	switch {
	case !ok:
		return nil, fmt.Errorf("the recording has no output of %s for %s", a.card.ID, t.Subgoal.ID)
	case r.Error != "":
		return nil, errors.New(r.Error)
	}
	if r.Envelope == nil {
		return nil, fmt.Errorf("the recording of %s for %s is empty", a.card.ID, t.Subgoal.ID)
	}
	e := *r.Envelope
	e.Places = r.Places
	return &e, ctx.Err()
}
