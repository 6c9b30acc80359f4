package soar

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/claims"
)

// A Recording is what a query asked of the outside and what came back: enough to run it again without asking anybody (see
// Player). Prompts are kept as hashes. Its fields may be read when the query has ended.
type Recording struct {
	Calls   []Call     `json:"calls"`
	Lookups []Lookup   `json:"lookups"`
	Runs    []AgentRun `json:"runs,omitempty"`
	Located []Located  `json:"located,omitempty"`
	Tools   []Used     `json:"tools,omitempty"`
	Held    []Held     `json:"held,omitempty"`
	Cards   []Card     `json:"cards,omitempty"` // of the agents that are not built in

	Personas []Persona `json:"personas,omitempty"` // those that did not work have no instructions here

	mu    sync.Mutex
	start time.Time
	steps int // calls of models and runs of agents
}

// Texts are the texts of all sources of the query, by their keys.
func (r *Recording) Texts() map[string]string {
	texts := map[string]string{}
	add := func(sources []Source) {
		for _, s := range sources {
			texts[s.Key] = s.Text
		}
	}
	for _, l := range slices.Backward(r.Lookups) { // the question's own comes first, and counts
		add(l.Sources)
	}
	for _, u := range r.Tools {
		add(u.Finding.Sources)
	}
	for _, l := range r.Located {
		add([]Source{l.Source})
	}
	return texts
}

// A Call is a prompt and what came back.
type Call struct {
	Purpose   string         `json:"purpose"`
	Model     string         `json:"model,omitempty"`
	Prompt    string         `json:"prompt"` // SHA-256 of the messages, in hexadecimal
	Reply     string         `json:"reply,omitempty"`
	Wishes    []llm.ToolCall `json:"toolCalls,omitempty"`
	Truncated bool           `json:"truncated,omitempty"`
	Cached    bool           `json:"cached,omitempty"`
	At        time.Duration  `json:"atNs"` // since the query began
	Duration  time.Duration  `json:"durationNs"`
	Usage     llm.Usage      `json:"usage"`
	USD       float64        `json:"usd"`
	Attempts  int            `json:"attempts,omitempty"` // when there were several
	Fault     llm.Fault      `json:"fault,omitempty"`
	Status    int            `json:"status,omitempty"` // of HTTP, with Fault
	Error     string         `json:"error,omitempty"`
}

// A Lookup is a question to the library.
type Lookup struct {
	Question string   `json:"question"`
	Size     Size     `json:"size"`
	Sources  []Source `json:"sources"`
}

// An AgentRun is what an agent, other than the built-in ones, brought.
type AgentRun struct {
	Agent    string    `json:"agent"`
	Subgoal  string    `json:"subgoal"`
	Envelope *Envelope `json:"envelope,omitempty"`
	Places   []Place   `json:"places,omitempty"` // that it names
	Error    string    `json:"error,omitempty"`
}

// A Located is the snippet around a place, which may be none.
type Located struct {
	Place  Place  `json:"place"`
	Source Source `json:"source"`
	Found  bool   `json:"found"`
}

// Used is a call of a tool.
type Used struct {
	Call    llm.ToolCall `json:"call"`
	Finding Finding      `json:"finding"`
}

// recordedTools writes what a toolbox finds to a recording.
type recordedTools struct {
	next      Toolbox
	recording *Recording
}

// Use implements Toolbox.
func (t recordedTools) Use(ctx context.Context, c llm.ToolCall) (Finding, error) {
	found, err := t.next.Use(ctx, c)
	if err == nil {
		t.recording.mu.Lock()
		defer t.recording.mu.Unlock()
		t.recording.Tools = append(t.recording.Tools, Used{c, found})
	}
	return found, err
}

// Held are statements, with what the workspace said against each.
type Held struct {
	Statements claims.Statements `json:"statements"`
	Wrong      []string          `json:"wrong"`
}

// recordedGrounds writes what the workspace says to a recording.
type recordedGrounds struct {
	next      claims.Grounds
	recording *Recording
}

// Contradicted implements claims.Grounds.
func (g recordedGrounds) Contradicted(ctx context.Context, s claims.Statements) ([]string, error) {
	wrong, err := g.next.Contradicted(ctx, s)
	if err == nil {
		g.recording.mu.Lock()
		defer g.recording.mu.Unlock()
		g.recording.Held = append(g.recording.Held, Held{s, wrong})
	}
	return wrong, err
}

// taken is how many calls the query has made.
func (t *Recording) taken() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.steps
}

// hashOf names a prompt by its text alone: neither the model nor its settings count.
func hashOf(r llm.Request) string {
	encoded, _ := json.Marshal(r.Messages) // strings always encode
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:])
}

// recordedModel writes the calls of a generator to a recording.
type recordedModel struct {
	next      llm.Generator
	recording *Recording
}

// Complete implements llm.Generator.
func (g recordedModel) Complete(ctx context.Context, r llm.Request) (*llm.Response, error) {
	return g.recording.call(r, func(r llm.Request) (*llm.Response, error) { return g.next.Complete(ctx, r) })
}

// Stream implements llm.Generator.
func (g recordedModel) Stream(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Response, error) {
	return g.recording.call(r, func(r llm.Request) (*llm.Response, error) { return g.next.Stream(ctx, r, sink) })
}

func (t *Recording) call(r llm.Request, ask func(llm.Request) (*llm.Response, error)) (*llm.Response, error) {
	account := r.Account.Sub()
	r.Account = account
	begin := time.Now()
	response, err := ask(r)
	c := Call{Purpose: r.Purpose, Model: r.Model, Prompt: hashOf(r), At: begin.Sub(t.start), Duration: time.Since(begin)}
	spent := account.Total()
	c.USD, c.Usage = spent.USD, llm.Usage{Prompt: spent.Prompt, Completion: spent.Completion}
	var failure *llm.Error
	switch {
	case err == nil:
		c.Reply, c.Wishes, c.Truncated, c.Cached, c.Model = response.Text, response.Calls, response.Truncated, response.Cached, response.Model
	case errors.As(err, &failure):
		c.Fault, c.Status, c.Error, c.Attempts = failure.Fault, failure.Status, failure.Error(), failure.Attempts
	default:
		c.Fault, c.Error = "cancelled", err.Error()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.steps++
	t.Calls = append(t.Calls, c)
	return response, err
}

// recordedLibrary writes the answers of a library to a recording.
type recordedLibrary struct {
	next      Library
	recording *Recording
}

// Retrieve implements Library.
func (l recordedLibrary) Retrieve(ctx context.Context, question string, size Size) ([]Source, error) {
	found, err := l.next.Retrieve(ctx, question, size)
	if err == nil {
		l.recording.mu.Lock()
		defer l.recording.mu.Unlock()
		l.recording.Lookups = append(l.recording.Lookups, Lookup{question, size, found})
	}
	return found, err
}

// recordedLocator is a recordedLibrary whose library is a Locator, too.
type recordedLocator struct {
	recordedLibrary
	locator Locator
}

// At implements Locator.
func (l recordedLocator) At(ctx context.Context, path string, line int) (Source, bool, error) {
	s, ok, err := l.locator.At(ctx, path, line)
	if err == nil {
		l.recording.mu.Lock()
		defer l.recording.mu.Unlock()
		l.recording.Located = append(l.recording.Located, Located{Place{path, line}, s, ok})
	}
	return s, ok, err
}

// library returns a library whose answers are written to the recording.
func (t *Recording) library(next Library) Library {
	l := recordedLibrary{next, t}
	if locator, ok := next.(Locator); ok {
		return recordedLocator{l, locator}
	}
	return l
}

// recordedAgent writes the runs of an agent to a recording.
type recordedAgent struct {
	Agent
	recording *Recording
}

// Run implements Agent.
func (a recordedAgent) Run(ctx context.Context, task Task) (*Envelope, error) {
	e, err := a.Agent.Run(ctx, task)
	run := AgentRun{Agent: a.Card().ID, Subgoal: task.Subgoal.ID}
	if e != nil { // its marks are changed later
		as := *e
		run.Envelope, run.Places = &as, e.Places
	}
	if err != nil {
		run.Error = err.Error()
	}
	a.recording.mu.Lock()
	defer a.recording.mu.Unlock()
	a.recording.steps++
	a.recording.Runs = append(a.recording.Runs, run)
	return e, err
}

// worked keeps the instructions of a persona that was given work.
func (t *Recording) worked(id, instructions string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.Personas {
		if t.Personas[i].Card.ID == id {
			t.Personas[i].Instructions = instructions
		}
	}
}
