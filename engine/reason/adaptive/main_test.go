package adaptive

import (
	"context"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/prompts"
)

// TestMain fails when queries leave goroutines behind.
func TestMain(m *testing.M) { os.Exit(llmtest.WithoutLeaks(m.Run)) }

type shelf []soar.Source

// Retrieve implements soar.Library.
func (l shelf) Retrieve(ctx context.Context, _ string, size soar.Size) ([]soar.Source, error) {
	return append([]soar.Source(nil), l[:min(size.Hits, len(l))]...), ctx.Err()
}

var snippets = shelf{
	{Key: "a", Path: "upload/handler.go", Line: 10, Last: 14, Name: "maxBody", Text: "// maxBody bounds an upload.\nconst maxBody int32 = 2147483647"},
	{Key: "b", Path: "upload/handler.go", Line: 20, Last: 29, Name: "Handle", Text: "func Handle(w http.ResponseWriter, r *http.Request) {\n\tread(r.Body, maxBody)\n}"},
}

// A bench is a pipeline of several passes on a scripted model.
type bench struct {
	*testing.T
	server   *llmtest.Server
	pipeline *soar.Pipeline
	events   []soar.Event
}

func newBench(t *testing.T, o Options) *bench {
	t.Helper()
	return newBenchWith(t, 30*time.Second, o)
}

// newBenchWith gives the model up after timeout.
func newBenchWith(t *testing.T, timeout time.Duration, o Options) *bench {
	t.Helper()
	server, err := llmtest.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		server.Close()
	})
	g, err := llm.New(llm.Options{
		Endpoint: llm.Endpoint{BaseURL: server.URL, Model: "scripted", Prices: llm.Prices{"scripted": {Prompt: 1, Completion: 4, Cached: 1}}},
		Timeout:  timeout, Deadline: time.Minute, Meter: llm.Unlimited{},
		Retry: llm.Retry{Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }},
	})
	if err != nil {
		t.Fatal(err)
	}
	examples, err := prompts.LoadExamples()
	if err != nil {
		t.Fatal(err)
	}
	return &bench{T: t, server: server, pipeline: soar.NewPipeline(soar.Options{
		Reasoning: g, Library: snippets, Examples: examples, Adaptive: Modules(o),
	})}
}

const question = "Design a larger limit for uploads"

func (b *bench) ask(ctx context.Context) (*soar.State, error) {
	b.Helper()
	b.events = nil
	s, _, _, err := b.pipeline.Ask(ctx, soar.Request{Query: question, Adaptive: true, Assess: "keyword"}, func(e soar.Event) { b.events = append(b.events, e) })
	return s, err
}

// must asks and expects an answer.
func (b *bench) must() *soar.State {
	b.Helper()
	s, err := b.ask(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	best := 0
	for i, p := range s.Passes {
		if p.Number != i+1 || p.Ended == "" || p.Profile == nil || p.TTL == 0 {
			b.Errorf("pass %+v", p)
		}
		if p.Best {
			best++
			if p.Answer != s.Answer {
				b.Errorf("the best pass says %q, the answer is %q", p.Answer, s.Answer)
			}
		}
	}
	if best != 1 {
		b.Errorf("%d best passes", best)
	}
	return s
}

func (b *bench) tasks() map[string]int {
	counts := map[string]int{}
	for _, c := range b.server.Calls() {
		counts[c.Task]++
	}
	return counts
}

func (b *bench) script(steps ...llmtest.Step) { b.server.Script(steps...) }

func figure(f float64) *float64 { return &f }

func ids(p *soar.Plan) []string {
	var out []string
	for _, s := range p.Subgoals {
		out = append(out, s.ID)
	}
	return out
}
