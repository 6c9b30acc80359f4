package engine

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/prompts"
)

// scriptedModels are models on a scripted server. Prices are such that every call costs something.
func scriptedModels(tb testing.TB, store memory.Journal, limits budget.Limits) (*Models, *llmtest.Server) {
	tb.Helper()
	server, err := llmtest.Start("127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		server.Close()
	})
	tracker := budget.New(store, limits, nil)
	g, err := llm.New(llm.Options{
		Endpoint: llm.Endpoint{BaseURL: server.URL, Model: "scripted", Prices: llm.Prices{"scripted": {Prompt: 2, Completion: 8, Cached: 2}}},
		Timeout:  10 * time.Second, Meter: tracker, Retry: llm.Retry{Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }},
	})
	if err != nil {
		tb.Fatal(err)
	}
	examples, err := prompts.LoadExamples()
	if err != nil {
		tb.Fatal(err)
	}
	return &Models{Name: "scripted", Reasoning: g, Budget: tracker, Examples: examples}, server
}

// withModel puts a scripted model under a workspace's engine.
func (w *testWorkspace) withModel(limits budget.Limits) (server *llmtest.Server, tracker *budget.Tracker) {
	w.Helper()
	if w.engine.opts.Journal == nil {
		w.keepJournal(journal.Options{NoHistory: true})
	}
	models, server := scriptedModels(w, w.engine.opts.Memory.(memory.Journal), limits)
	w.rewire(func(o *Options) { o.Models = models })
	return server, w.engine.opts.Models.Budget
}

var ample = budget.Limits{Enabled: true, SoftUSD: 90, HardUSD: 100, Period: "monthly"}

func TestQueryWithModel(t *testing.T) {
	w := openWorkspace(t, shop)
	server, tracker := w.withModel(ample)
	streamed := ""
	r, err := w.engine.Query(context.Background(), QueryRequest{Query: "What is WithTax?"}, func(p Progress) { streamed += p.Delta })
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Answer, "`WithTax` is in price/tax.go:4 [1].") || streamed != r.Answer || len(r.Citations) == 0 || r.Citations[0].Name != "WithTax" {
		t.Errorf("answer %q, streamed %q, citing %+v", r.Answer, streamed, r.Citations)
	}
	if r.Verified || r.Confidence != 1 || r.Cost.Calls != 1 || r.Cost.USD <= 0 || r.Model != "scripted" || r.Complexity != "SIMPLE" {
		t.Errorf("%+v", r)
	}
	r, err = w.engine.Query(context.Background(), QueryRequest{Query: "Compare the cart and the tax"}, nil)
	if err != nil || !r.Verified || r.ChunkID == "" || len(r.Subgoals) != 0 || r.Cost.Calls != 3 || r.OverallScore == nil || *r.OverallScore < 0.89 {
		t.Fatalf("%+v, %v", r, err)
	}
	record, err := w.engine.opts.Memory.Get(context.Background(), r.ChunkID)
	if err != nil || record.Type != memory.Reasoning || !strings.Contains(record.Content, "Compare the cart and the tax") || record.Workspace == "" {
		t.Errorf("record %+v, %v", record, err)
	}
	p, err := tracker.Status(context.Background())
	if err != nil || p.Queries != 2 || p.Consumed <= r.Cost.USD {
		t.Errorf("account %+v, %v", p, err)
	}
	if st, err := w.engine.Status(context.Background()); err != nil || !st.LLM.Configured || !st.LLM.Healthy || st.LLM.Model != "scripted" {
		t.Errorf("status %+v, %v", st.LLM, err)
	}
	server.Reset()
}

// A failingJournal writes nothing, as when the process ends before it can.
type failingJournal struct{ memory.Journal }

func (failingJournal) Append(context.Context, []memory.JournalEntry, int) (memory.Learned, error) {
	return memory.Learned{}, errors.New("no space left on device")
}

// TestAnswerIsRememberedWithItsLine has no line of the journal written: no record is, either, and the answer says so.
func TestAnswerIsRememberedWithItsLine(t *testing.T) {
	w := openWorkspace(t, shop)
	w.withModel(ample)
	w.rewire(func(o *Options) {
		o.Journal = journal.Open(failingJournal{o.Memory.(memory.Journal)}, journal.Options{})
	})
	r, err := w.engine.Query(t.Context(), QueryRequest{Query: "Compare the cart and the tax"}, nil)
	if err != nil || !r.Verified || r.ChunkID != "" || !slices.ContainsFunc(r.Warnings, func(s string) bool { return strings.Contains(s, "could not be remembered") }) {
		t.Errorf("%+v, %v", r, err)
	}
	if stats, err := w.engine.opts.Memory.Stats(t.Context()); err != nil || len(stats.Records) != 0 {
		t.Errorf("%+v, %v", stats, err)
	}
}

// TestModelFails holds that a question is answered from the index when the model is not there, unless mode soar asks
// for the model alone.
func TestModelFails(t *testing.T) {
	w := openWorkspace(t, shop)
	server, _ := w.withModel(ample)
	server.Script(llmtest.Step{Fault: llmtest.Unavailable})
	r, err := w.engine.Query(context.Background(), QueryRequest{Query: "What is WithTax?"}, nil)
	if err != nil || !strings.Contains(r.Answer, "`WithTax` is a function defined in price/tax.go:4 [1].") || len(r.Citations) == 0 || r.Verified {
		t.Fatalf("%+v, %v", r, err)
	}
	if w := r.Warnings[0]; !strings.Contains(w, "HTTP 503, 3 attempts") || !strings.Contains(w, "index") {
		t.Errorf("warning %q", w)
	}
	var e *Error
	if _, err := w.engine.Query(context.Background(), QueryRequest{Query: "What is WithTax?", Mode: "soar"}, nil); !errors.As(err, &e) || e.Kind != LLMUnavailable || !strings.Contains(e.Detail, "HTTP status 503, attempts 3") {
		t.Errorf("mode soar: %v", err)
	}
	if st, err := w.engine.Status(context.Background()); err != nil || st.LLM.Healthy {
		t.Errorf("status %+v, %v", st.LLM, err)
	}
	server.Reset()
	server.Script(llmtest.Step{Fault: llmtest.Cut}) // what was streamed before it failed is kept, and called a part
	shown := ""
	r, err = w.engine.Query(context.Background(), QueryRequest{Query: "What is WithTax?"}, func(p Progress) {
		if p.Void {
			shown = ""
		}
		shown += p.Delta
	})
	if err != nil || shown == "" || !strings.HasPrefix(r.Answer, strings.TrimSpace(shown)) || r.Verified || !strings.Contains(strings.Join(r.Warnings, "\n"), "broke off") {
		t.Errorf("cut: shown %q of %+v, %v", shown, r, err)
	}
}

func TestQueryBudget(t *testing.T) {
	w := openWorkspace(t, shop)
	tight := ample
	tight.SoftUSD, tight.HardUSD = 0, 0.004
	server, _ := w.withModel(tight)
	var e *Error
	ask := QueryRequest{Query: "What is WithTax?", Consent: Consent{AskBudget: true}}
	if _, err := w.engine.Query(context.Background(), ask, nil); !errors.As(err, &e) || e.Kind != Budget || e.Detail != ConfirmBudget || len(server.Calls()) != 0 {
		t.Errorf("soft limit: %v", err)
	}
	ask.BudgetAccepted = true
	if r, err := w.engine.Query(context.Background(), ask, nil); err == nil && (len(r.Warnings) == 0 || !strings.Contains(strings.Join(r.Warnings, " "), "budget")) {
		t.Errorf("accepted: %+v", r)
	}
	if _, err := w.engine.Query(context.Background(), QueryRequest{Query: "Is it safe in production to design " + strings.Repeat("more ", 400)}, nil); !errors.As(err, &e) || e.Kind != Budget || !strings.Contains(e.Remedy, "hard_limit_usd") {
		t.Errorf("hard limit: %v", err)
	}
	w.engine.opts.Models.Budget = nil
	r, err := w.engine.Query(context.Background(), QueryRequest{Query: "Compare Cart and WithTax", BudgetUSD: 1e-6}, nil)
	if err != nil || r.Cost.Calls != 0 || !strings.Contains(r.Warnings[0], "of this query's $0.0000") {
		t.Errorf("own limit: %+v, %v", r, err)
	}
}

func TestSelectionReachesTheModel(t *testing.T) {
	w := openWorkspace(t, shop)
	server, _ := w.withModel(ample)
	s := w.selection("cart/cart.go", "sum := 0")
	if _, err := w.engine.Query(context.Background(), QueryRequest{Query: "what is this?", Select: &s}, nil); err != nil {
		t.Fatal(err)
	}
	if text := server.Calls()[0].Text(); !strings.Contains(text, `<aurora:source id="S1" path="cart/cart.go" line="29" name="Cart.TotalPrice">`) {
		t.Errorf("the prompt begins with something else:\n%s", text)
	}
}

// TestModelJudgesHits holds that a model gets the nearest code even where a search stays silent.
func TestModelJudgesHits(t *testing.T) {
	w := openWorkspace(t, shop)
	server, _ := w.withModel(ample)
	const question = "sketch distributed invoicing middleware around tax"
	if r, err := w.engine.Search(context.Background(), SearchRequest{Query: question}); err != nil || len(r.Hits) > 0 {
		t.Fatalf("the search is not silent: %+v, %v", r, err)
	}
	w.query(QueryRequest{Query: question, Mode: "direct"})
	if text := server.Calls()[0].Text(); !strings.Contains(text, `path="price/tax.go"`) {
		t.Errorf("the prompt has no source:\n%s", text)
	}
}

func TestModelSettingsAreWrong(t *testing.T) {
	w := openWorkspace(t, shop)
	w.rewire(func(o *Options) { o.ModelsError = errors.New("unknown provider") })
	r := w.query(QueryRequest{Query: "What is WithTax?"})
	if !strings.Contains(r.Warnings[0], "unknown provider") || !strings.Contains(r.Answer, "WithTax") {
		t.Errorf("%q: %s", r.Warnings, r.Answer)
	}
	var e *Error
	if _, err := w.engine.Query(context.Background(), QueryRequest{Query: "x", Mode: "soar"}, nil); !errors.As(err, &e) || e.Kind != LLMUnavailable {
		t.Errorf("mode soar: %v", err)
	}
}

// BenchmarkQueryWithModel measures a query over Go's own sources against a model that answers at once over loopback: an
// upper bound of what the engine itself takes.
func BenchmarkQueryWithModel(b *testing.B) {
	e := openGoroot(b)
	ceiling := ample
	ceiling.SoftUSD, ceiling.HardUSD = 1e9, 1e9
	e.opts.Models, _ = scriptedModels(b, e.opts.Memory.(memory.Journal), ceiling)
	e.wire()
	for _, query := range []string{"What is Reader?", "Design a cache for Reader and Writer"} {
		b.Run(string(soar.Classify(query).Level), func(b *testing.B) {
			for b.Loop() {
				if _, err := e.Query(context.Background(), QueryRequest{Query: query}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
