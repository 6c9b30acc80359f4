package soar

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/prompts"
)

// TestMain fails when queries leave goroutines behind.
func TestMain(m *testing.M) { os.Exit(llmtest.WithoutLeaks(m.Run)) }

// snippets are what the library of these tests holds.
var snippets = []Source{
	{Key: "a", Path: "upload/handler.go", Line: 10, Last: 14, Name: "maxBody", Text: "// maxBody bounds an upload.\nconst maxBody int32 = 2147483647"},
	{Key: "b", Path: "upload/handler.go", Line: 20, Last: 29, Name: "Handle", Text: "func Handle(w http.ResponseWriter, r *http.Request) {\n\tread(r.Body, maxBody)\n}"},
	{Key: "c", Name: "decision", Text: "Uploads go through the proxy."},
}

// A shelfLibrary gives all its snippets, whatever is asked.
type shelfLibrary []Source

// Retrieve implements Library.
func (l shelfLibrary) Retrieve(ctx context.Context, _ string, size Size) ([]Source, error) {
	return append([]Source(nil), l[:min(size.Hits, len(l))]...), ctx.Err()
}

// A ledger counts what is recorded and spent.
type ledger struct {
	mu              sync.Mutex
	results         []Result
	reserved, spent float64
}

func (l *ledger) Record(_ context.Context, r Result) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.results = append(l.results, r)
	return fmt.Sprintf("reas:%d", len(l.results)), nil
}

func (l *ledger) Reserve(_ context.Context, usd float64, _ bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reserved += usd
	return nil
}

func (l *ledger) Settle(_ context.Context, reserved, spent float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reserved -= reserved
	l.spent += spent
}

// A bench is a pipeline on a scripted model.
type bench struct {
	*testing.T
	server *llmtest.Server
	ledger *ledger
	*Pipeline
}

func newBench(t *testing.T, timeout time.Duration) *bench {
	t.Helper()
	server, err := llmtest.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		server.Close()
	})
	b := &bench{T: t, server: server, ledger: &ledger{}}
	g, err := llm.New(llm.Options{
		Endpoint: llm.Endpoint{BaseURL: server.URL, Model: "scripted", Prices: llm.Prices{"scripted": {Prompt: 1, Completion: 4, Cached: 1}}},
		Timeout:  timeout, Deadline: time.Minute, Meter: b.ledger,
		Retry: llm.Retry{Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }},
	})
	if err != nil {
		t.Fatal(err)
	}
	examples, err := prompts.LoadExamples()
	if err != nil {
		t.Fatal(err)
	}
	b.Pipeline = NewPipeline(Options{Reasoning: g, Library: shelfLibrary(snippets), Recorder: b.ledger, Examples: examples})
	return b
}

// An outcomeOf is all that a query left behind.
type outcomeOf struct {
	*State
	phases []Phase
	events []Event
	total  llm.Total
	err    error
}

func (b *bench) ask(ctx context.Context, r Request) outcomeOf {
	b.Helper()
	account := &llm.Account{}
	r.Account = account
	var o outcomeOf
	o.State, o.phases, _, o.err = b.Ask(ctx, r, func(e Event) { o.events = append(o.events, e) })
	o.total = account.Total()
	b.check(o)
	return o
}

// check holds what is true of every query, however it ends.
func (b *bench) check(o outcomeOf) {
	b.Helper()
	seen := map[string]bool{}
	for _, p := range o.phases {
		if seen[p.Name] {
			b.Errorf("%s is accounted for twice", p.Name)
		}
		seen[p.Name] = true
		if p.Status == Skipped && p.Detail == "" {
			b.Errorf("%s was skipped without a reason", p.Name)
		}
	}
	for _, name := range AllPhases {
		if !seen[name] {
			b.Errorf("%s is not accounted for", name)
		}
	}
	done := 0.0
	for _, e := range o.events {
		if e.Done < done {
			b.Errorf("progress goes back to %v at %+v", e.Done, e)
		}
		done = e.Done
	}
	if done != 1 {
		b.Errorf("the last event is at %v", done)
	}
	b.ledger.mu.Lock()
	defer b.ledger.mu.Unlock()
	if math.Abs(b.ledger.reserved) > 1e-9 {
		b.Errorf("%v dollars are still reserved", b.ledger.reserved)
	}
	if want := (float64(o.total.Prompt) + 4*float64(o.total.Completion)) / 1e6; math.Abs(o.total.USD-want) > 1e-9 {
		b.Errorf("the account says %v dollars, its tokens cost %v", o.total.USD, want)
	}
	if o.err == nil && strings.TrimSpace(o.Answer) == "" && len(o.Warnings) == 0 {
		b.Error("neither an answer nor an error nor a warning")
	}
	if o.err != nil && len(b.ledger.results) > 0 {
		b.Errorf("recorded in spite of %v", o.err)
	}
}

// tasks counts the calls of each task.
func (b *bench) tasks() map[string]int {
	counts := map[string]int{}
	for _, c := range b.server.Calls() {
		counts[c.Task]++
	}
	return counts
}
