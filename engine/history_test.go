package engine

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/engine/reason/replay"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// TestHistoryPlaysAgain asks questions of every sort, failures included, and plays each again without a model: it must
// go as it went.
func TestHistoryPlaysAgain(t *testing.T) {
	score := 0.6
	for _, tt := range []struct {
		name    string
		request QueryRequest
		steps   []llmtest.Step
	}{
		{"simple", QueryRequest{Query: "What is WithTax?"}, nil},
		{"medium", QueryRequest{Query: "Compare the cart and the tax"}, nil},
		{"medium, planned", QueryRequest{Query: "Compare the cart and the tax", Mode: "soar"}, nil},
		{"complex, with a retry", QueryRequest{Query: "Design a cache for WithTax"}, []llmtest.Step{{Task: "critic", Scores: &score, Issue: "thin", Times: 1}}},
		{"critical", QueryRequest{Query: "Is WithTax safe in production?"}, nil},
		{"several passes", QueryRequest{Query: "Design a cache for WithTax", Adaptive: true}, []llmtest.Step{{Task: "convergence", Scores: &score, Issue: "the cart", Times: 1}}},
		{"a rejected plan", QueryRequest{Query: "Compare the cart and the tax", Mode: "soar"}, []llmtest.Step{{Task: "verify_decomposition", Scores: new(float64), Issue: "no"}}},
		{"a model that fails", QueryRequest{Query: "Compare the cart and the tax", Mode: "soar"}, []llmtest.Step{{Task: "synthesize", Fault: llmtest.Unavailable}}},
		{"a reply that is mended", QueryRequest{Query: "Compare the cart and the tax", Mode: "soar"}, []llmtest.Step{{Task: "decompose", Fault: llmtest.Garbage, Times: 1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := openWorkspace(t, shop)
			server, _ := w.withModel(ample)
			w.keepJournal(journal.Options{})
			server.Script(tt.steps...)
			result, failure := w.engine.Query(context.Background(), tt.request, nil)
			calls := len(server.Calls())
			listed, err := w.engine.History(context.Background(), HistoryRequest{})
			if err != nil || len(listed.Queries) != 1 || failure == nil && listed.Queries[0].ID != result.QueryID || listed.Queries[0].Folder == "" {
				t.Fatalf("%+v, %v", listed, err)
			}
			r, err := w.engine.History(context.Background(), HistoryRequest{QueryID: "last"})
			if err != nil || len(r.Record.Events) == 0 || len(r.Record.Phases) != len(soar.AllPhases) || len(r.Record.Recording.Calls) == 0 {
				t.Fatalf("%+v, %v", r, err)
			}
			usd := 0.0
			for _, c := range r.Record.Recording.Calls {
				usd += c.USD
				if len(c.Prompt) != 64 || c.Fault == "" && c.Reply == "" {
					t.Errorf("call %+v", c)
				}
			}
			if diff := usd - r.Record.USD; diff > 1e-9 || diff < -1e-9 {
				t.Errorf("the calls cost %v, the question %v", usd, r.Record.USD)
			}
			events := 0
			played, err := reason.PlayAgain(context.Background(), r.Record, w.engine.opts.Models.Examples, func(Progress) { events++ })
			if err != nil || len(played.Differences) > 0 || events == 0 {
				t.Fatalf("%v: %+v", err, played)
			}
			if failure == nil && (played.Result.Answer != result.Answer || len(played.Result.Citations) != len(result.Citations)) {
				t.Errorf("answer %q, was %q", played.Result.Answer, result.Answer)
			}
			if len(server.Calls()) != calls {
				t.Error("the model was asked")
			}
		})
	}
}

// TestReplayTellsWhatChanged has a recording that no longer fits.
func TestReplayTellsWhatChanged(t *testing.T) {
	w := openWorkspace(t, shop)
	w.withModel(ample)
	w.keepJournal(journal.Options{})
	if _, err := w.engine.Query(context.Background(), QueryRequest{Query: "Compare the cart and the tax"}, nil); err != nil {
		t.Fatal(err)
	}
	load := func() *replay.Record {
		r, err := replay.Load(context.Background(), w.engine.opts.Journal, "last")
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	examples := w.engine.opts.Models.Examples
	r := load()
	r.Answer, r.Verified = "It was otherwise.", false
	played, err := reason.PlayAgain(context.Background(), r, examples, nil)
	if err != nil || !strings.Contains(strings.Join(played.Differences, ";"), "the answer is another one") || !strings.Contains(strings.Join(played.Differences, ";"), "verified: true, was false") {
		t.Errorf("%v: %+v", err, played)
	}
	r = load()
	r.Recording.Lookups[0].Sources = nil // then the prompts are others
	var e *Error
	if _, err := reason.PlayAgain(context.Background(), r, examples, nil); !errors.As(err, &e) || !strings.Contains(e.Message, "no reply to this prompt") {
		t.Errorf("%v", err)
	}
	r = load()
	r.Recording = nil
	if _, err := reason.PlayAgain(context.Background(), r, examples, nil); !errors.As(err, &e) || e.Kind != Invalid {
		t.Errorf("%v", err)
	}
}

// TestWhatTheHistoryLeavesOut holds what is not written: cancelled and refused questions, personal data.
func TestWhatTheHistoryLeavesOut(t *testing.T) {
	w := openWorkspace(t, shop)
	server, _ := w.withModel(ample)
	w.keepJournal(journal.Options{})
	count := func() int {
		r, err := w.engine.History(context.Background(), HistoryRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return len(r.Queries)
	}
	server.Script(llmtest.Step{Task: "direct", Fault: llmtest.Hang})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-server.Hanging()
		cancel()
	}()
	if _, err := w.engine.Query(ctx, QueryRequest{Query: "What is WithTax?"}, nil); !errors.Is(err, context.Canceled) || count() != 0 {
		t.Errorf("cancelled: %v, %d kept", err, count())
	}
	w.engine.opts.Models.PII = "reject"
	if _, err := w.engine.Query(context.Background(), QueryRequest{Query: "What is ada@example.com?"}, nil); err == nil || count() != 0 {
		t.Errorf("refused: %v, %d kept", err, count())
	}
	server.Reset()
	w.engine.opts.Models.PII = "redact"
	for _, m := range []*Models{w.engine.opts.Models, nil} {
		w.rewire(func(o *Options) { o.Models = m })
		if _, err := w.engine.Query(context.Background(), QueryRequest{Query: "What is WithTax for ada@example.com?"}, nil); err != nil {
			t.Fatal(err)
		}
		r, err := w.engine.History(context.Background(), HistoryRequest{QueryID: "last"})
		if err != nil || strings.Contains(r.Record.Question+r.Record.Answer+r.Record.Request.Query, "ada@") {
			t.Errorf("%+v, %v", r.Record, err)
		}
	}
	if count() != 2 {
		t.Errorf("%d kept", count())
	}
}
