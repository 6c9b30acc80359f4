package soar

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
	"github.com/aurora-sidecar/aurora/prompts"
)

// A Library finds snippets of code and memory.
type Library interface {
	// Retrieve returns snippets for a question, the best first. Their ids are left empty.
	Retrieve(ctx context.Context, question string, size Size) ([]Source, error)
}

// A Size bounds what is retrieved.
type Size struct {
	Hits   int `json:"hits"`   // of the search
	Tokens int `json:"tokens"` // of all snippets together, those that hits lead to included
}

// A Recorder makes a record of what was found out.
type Recorder interface {
	// Record returns the id of the record. Who asked writes it, with all else that is kept of the question.
	Record(ctx context.Context, r Result) (id string, err error)
}

// Models are the models of a pipeline by tier. An empty name is the provider's own model.
type Models struct{ Fast, Reasoning, Best string }

// Options wire a Pipeline.
type Options struct {
	Reasoning llm.Generator // plans, reviews, scores, writes answers
	Solving   llm.Generator // works on subgoals; nil means Reasoning
	Models    Models
	Library   Library
	Tools     Toolbox        // that models may look things up with; nil for none
	RunsTests bool           // the toolbox runs tests, too
	Grounds   claims.Grounds // that what models say is held against; nil for none
	Recorder  Recorder       // nil records nothing
	AgentOptions
	Guards   Guards
	Examples prompts.Examples
	Sizes
	Adaptive *Modules // for questions that ask for several passes; nil has one pass
	Now      func() time.Time

	window int // Request.Window
}

// AgentOptions say who works on subgoals.
type AgentOptions struct {
	Agents   []Agent // besides the built-in ones
	Personas []Persona
	Ask      Asker                           // puts an agent's question to the person; nil when nobody can be asked
	Judged   func(agentID string, pass bool) // told what became of each attempt of an agent's, from any goroutine; may be nil
}

// Sizes say how much a question gets of what is limited.
type Sizes struct {
	Counts    map[Level]int `json:"examples,omitempty"`  // of calibration examples; nil means 0, 2, 4, 6
	Parallel  int           `json:"parallel,omitempty"`  // subgoals at a time; 0 means 3
	Snippets  int           `json:"passages,omitempty"`  // hits of code and memory; 0 means 10. A subgoal gets six tenths of it
	MaxTokens int           `json:"maxTokens,omitempty"` // of a reply; what its prompt needs, if that is more
}

// A Pipeline answers questions with a model. It serves several goroutines.
type Pipeline struct{ opts Options }

// NewPipeline returns a pipeline.
func NewPipeline(o Options) *Pipeline {
	if o.Solving == nil {
		o.Solving = o.Reasoning
	}
	if o.Parallel <= 0 {
		o.Parallel = 3
	}
	if o.Counts == nil {
		o.Counts = map[Level]int{Simple: 0, Medium: 2, Complex: 4, Critical: 6}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Pipeline{opts: o}
}

// query is one run of a pipeline.
type query struct {
	opts      Options
	state     *State
	run       *Run
	agents    []Agent
	recording *Recording
	redo      rework       // what a pass does again
	passes    *passControl // nil for a query of one pass
	asking    sync.Mutex   // one question at a time
}

// Ask runs the phases of one question. emit, which may be nil, is told what happens, one call at a time. The state is
// returned with an error, too: it holds what was done until then. The context's end ends the query at once with its
// error; a *Blocked says that a guardrail refused the question, an *llm.Error that a model gave no reply.
func (p *Pipeline) Ask(ctx context.Context, r Request, emit func(Event)) (*State, []Phase, time.Duration, error) {
	q := p.newQuery(r, emit)
	return through(ctx, q, func(ctx context.Context) error { return runPhases(ctx, q) })
}

// Decompose runs the phases up to the verified plan: it carries nothing out and records nothing. A plan that no review
// passed is in the state all the same, with its review.
func (p *Pipeline) Decompose(ctx context.Context, r Request, emit func(Event)) (*State, []Phase, time.Duration, error) {
	r.Mode = "soar"
	q := p.newQuery(r, emit)
	return through(ctx, q, func(ctx context.Context) error {
		err := beginQuery(ctx, q)
		if err == nil {
			err = makePlan(ctx, q)
		}
		var rejected *rejection
		if errors.As(err, &rejected) {
			q.state.Rejected = true
			return nil
		}
		return err
	})
}

func (p *Pipeline) newQuery(r Request, emit func(Event)) *query {
	recording := &Recording{start: time.Now()}
	opts := p.opts
	opts.Reasoning, opts.Solving = recordedModel{opts.Reasoning, recording}, recordedModel{opts.Solving, recording}
	opts.Library, opts.window = recording.library(opts.Library), r.Window
	if opts.Tools != nil {
		opts.Tools = recordedTools{opts.Tools, recording}
	}
	if opts.Grounds != nil {
		opts.Grounds = recordedGrounds{opts.Grounds, recording}
	}
	q := &query{opts: opts, state: &State{Request: r, Query: r.Query, Recording: recording}, recording: recording}
	q.run = newRun(p.opts.Now, serial(emit), AllPhases)
	q.run.Facts = func(phase string) *Facts { return q.state.facts(phase) }
	q.agents = q.builtin()
	for _, persona := range p.opts.Personas {
		recording.Personas = append(recording.Personas, Persona{Card: persona.Card})
	}
	for _, a := range p.opts.Agents {
		q.agents = append(q.agents, recordedAgent{a, recording})
		recording.Cards = append(recording.Cards, a.Card())
	}
	return q
}

// through runs phases and ends the account of them.
func through(ctx context.Context, q *query, phases func(context.Context) error) (*State, []Phase, time.Duration, error) {
	err := phases(ctx)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		q.run.blame(err)
	}
	done, total := q.run.Done()
	return q.state, done, total, err
}

// repeated tells that a call of a model will be tried again.
func (q *query) repeated(failure *llm.Error, wait time.Duration) {
	q.run.Note(q.run.current, Again, fmt.Sprintf("%s; trying again in %.1f s", failure, wait.Seconds()))
}

// serial makes emit safe for subgoals that run side by side.
func serial(emit func(Event)) func(Event) {
	if emit == nil {
		return nil
	}
	var mu sync.Mutex
	return func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		emit(e)
	}
}

// beginQuery runs the phases that every question goes through.
func beginQuery(ctx context.Context, q *query) error {
	if err := q.run.Do(Guardrails, func() (string, error) { return guard(q) }); err != nil {
		return err
	}
	if err := q.run.Do(Assess, func() (string, error) { return describe(ctx, q) }); err != nil {
		return err
	}
	return q.run.Do(Retrieve, func() (string, error) { return retrieve(ctx, q) })
}

func runPhases(ctx context.Context, q *query) error {
	if err := beginQuery(ctx, q); err != nil {
		return err
	}
	if q.state.Direct {
		return answerDirectly(ctx, q)
	}
	return answerByPlan(ctx, q)
}

// answerByPlan runs the phases behind those that every question goes through, for one that is planned.
func answerByPlan(ctx context.Context, q *query) error {
	err := multiPass(ctx, q)
	var rejected *rejection
	if errors.As(err, &rejected) {
		reject(q, rejected)
		q.run.skipBefore(Record)
	} else if err != nil {
		return salvage(ctx, q, err)
	}
	if err := recordAnswer(ctx, q); err != nil {
		return err
	}
	return q.run.Do(Respond, func() (string, error) { return respond(q) })
}

// reasonThrough runs the phases from the plan to the reviewed answer.
func reasonThrough(ctx context.Context, q *query) error {
	if err := makePlan(ctx, q); err != nil {
		return err
	}
	return execute(ctx, q)
}

// execute runs the phases from the passed plan to the reviewed answer.
func execute(ctx context.Context, q *query) error {
	if err := q.run.Do(Route, func() (string, error) { return route(q) }); err != nil {
		return err
	}
	if err := q.run.Do(Collect, func() (string, error) { return collect(ctx, q) }); err != nil {
		return err
	}
	if q.redo.later && q.redo.spent(q) {
		return errSpent
	}
	return synthesize(ctx, q)
}

// A rejection ends a query for which no plan or no finding was good enough. The answer says so.
type rejection struct {
	what   string
	review *Review
}

func (r *rejection) Error() string { return r.what }
