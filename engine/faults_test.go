package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/engine/reason/adaptive"
	"github.com/aurora-sidecar/aurora/engine/reason/replay"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/convlog"
	"github.com/aurora-sidecar/aurora/prompts"
)

// A faultWorld is a workspace with all that a question leaves behind: account, history, conversations, memory.
type faultWorld struct {
	*testWorkspace
	server  *llmtest.Server
	tracker *budget.Tracker
	book    *convlog.Book
}

// newFaultWorld has a model that is given up early: one attempt takes at most a second, and there are two. It speaks the
// protocol of the preset.
func newFaultWorld(t *testing.T, preset string) *faultWorld {
	w := &faultWorld{testWorkspace: openWorkspace(t, shop)}
	w.git("checkout", "-q", "-b", "headless")
	var err error
	if w.server, err = llmtest.Start("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		w.server.Close()
	})
	switch preset {
	case "ollama":
		w.server.SpeakOllama(1 << 17)
	case "anthropic":
		w.server.SpeakAnthropic()
	}
	w.tracker = budget.New(w.engine.opts.Memory.(memory.Journal), ample, nil)
	g, err := llm.New(llm.Options{
		Endpoint: llm.Endpoint{Preset: preset, BaseURL: w.server.URL, Model: "scripted", Prices: llm.Prices{"scripted": {Prompt: 2, Completion: 8, Cached: 2}}},
		Timeout:  time.Second, Deadline: time.Minute, Meter: w.tracker,
		Retry: llm.Retry{Attempts: 2, Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }},
	})
	if err != nil {
		t.Fatal(err)
	}
	examples, err := prompts.LoadExamples()
	if err != nil {
		t.Fatal(err)
	}
	w.rewire(func(o *Options) {
		o.Models = &Models{Name: "scripted", Reasoning: g, Budget: w.tracker, Examples: examples, PII: "redact", Adaptive: adaptive.Options{}}
	})
	w.book = w.keepLogs()
	return w
}

func (w *faultWorld) spent() float64 {
	w.Helper()
	p, err := w.tracker.Status(context.Background())
	if err != nil {
		w.Fatal(err)
	}
	return p.Consumed
}

func (w *faultWorld) remembered() int {
	w.Helper()
	hits, err := w.engine.records.Recall(context.Background(), memory.Query{Limit: 100_000})
	if err != nil {
		w.Fatal(err)
	}
	return len(hits)
}

// A planted fault is a question that makes its task happen, and what else has to be scripted for that.
type planted struct {
	query    string
	review   string // "" leaves it to the level
	adaptive bool
	besides  []llmtest.Step
}

func half() *float64 { f := 0.6; return &f }

var (
	vague = llmtest.Step{Task: "semantic_validation", Issue: "vague", Times: 1}
	split = llmtest.Step{Task: "semantic_validation", Issue: "vague", Split: true, Times: 1}
)

// plantings are all tasks that ask a model in a question. "assess" needs a question that keywords are not sure of.
var plantings = map[string]planted{
	prompts.Direct: {query: "What is WithTax?"},
	prompts.Assess: {query: "Compare the cart and the tax"}, prompts.Decompose: {query: "Design a cache for WithTax"},
	prompts.VerifyDecomposition: {query: "Design a cache for WithTax", review: "self"}, prompts.Solve: {query: "Design a cache for WithTax"},
	prompts.VerifyAgentOutput: {query: "Design a cache for WithTax"}, prompts.Synthesize: {query: "Design a cache for WithTax"},
	prompts.VerifySynthesis: {query: "Design a cache for WithTax"}, prompts.Critic: {query: "Design a cache for WithTax"},
	prompts.Advocate: {query: "Is WithTax safe in production?"}, prompts.Judge: {query: "Is WithTax safe in production?"},
	prompts.RetryFeedback: {query: "Design a cache for WithTax", besides: []llmtest.Step{{Task: prompts.VerifySynthesis, Scores: half(), Times: 1}}},
	prompts.TaskProfile:   {query: "Design a cache for WithTax", adaptive: true}, prompts.SemanticValidation: {query: "Design a cache for WithTax", adaptive: true},
	prompts.Convergence: {query: "Design a cache for WithTax", adaptive: true},
	prompts.Refinement:  {query: "Design a cache for WithTax", adaptive: true, besides: []llmtest.Step{vague}},
	prompts.Subplan:     {query: "Design a cache for WithTax", adaptive: true, besides: []llmtest.Step{split}},
}

// TestEveryFaultLeavesThingsWhole has each fault happen at each task of a question, for ever, and looks at all that the
// question leaves behind: there is an answer, or an error that says what happened; the account has what the question says
// that it cost; history and conversation are complete; memory has a record exactly when the answer says so. Over Ollama's
// and Anthropic's own protocols, one task with JSON and the two with tools stand for all.
func TestEveryFaultLeavesThingsWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a minute")
	}
	t.Run("openai", func(t *testing.T) { leavesThingsWhole(t, "", slices.Sorted(mapKeys(plantings))) })
	some := []string{prompts.Decompose, prompts.Direct, prompts.Solve}
	t.Run("ollama", func(t *testing.T) { leavesThingsWhole(t, "ollama", some) })
	t.Run("anthropic", func(t *testing.T) { leavesThingsWhole(t, "anthropic", some) })
}

func leavesThingsWhole(t *testing.T, preset string, tasks []string) {
	w := newFaultWorld(t, preset)
	number := 0
	for _, task := range tasks {
		p := plantings[task]
		for _, flaw := range llmtest.Faults {
			for _, mode := range []string{"auto", "soar"} {
				if mode == "soar" && (task == prompts.Direct || flaw != llmtest.Unavailable && flaw != llmtest.Garbage) {
					continue
				}
				number++
				// A word of its own keeps one question's failures from raising the next one.
				r := QueryRequest{Query: fmt.Sprintf("%s zebra%d", p.query, number), Mode: mode, Verification: p.review, Adaptive: p.adaptive}
				t.Run(task+"/"+string(flaw)+"/"+mode, func(t *testing.T) {
					w := *w
					inner := *w.testWorkspace
					inner.T, w.testWorkspace = t, &inner
					w.plant(task, flaw, p.besides)
					w.checkWhole(task, flaw, r)
				})
			}
		}
	}
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func (w *faultWorld) plant(task string, flaw llmtest.Fault, besides []llmtest.Step) {
	w.server.Reset()
	w.server.Script(append([]llmtest.Step{{Task: task, Fault: flaw, After: 0.01}}, besides...)...)
}

func (w *faultWorld) checkWhole(task string, flaw llmtest.Fault, r QueryRequest) *QueryResult {
	w.Helper()
	spent, records := w.spent(), w.remembered()
	result, err := w.engine.Query(context.Background(), r, nil)
	w.engine.reasoner.Close()
	if !slices.ContainsFunc(w.server.Calls(), func(c llmtest.Call) bool { return c.Task == task }) {
		w.Fatalf("%s was never asked", task)
	}
	var failure *Error
	switch {
	case err == nil && strings.TrimSpace(result.Answer) == "" && len(result.Warnings) == 0:
		w.Error("neither an answer nor an error nor a warning")
	case err == nil && result.FellBack == soar.ByIndex && !strings.HasPrefix(strings.Join(result.Warnings, ""), "The model gave no answer: ") && !strings.HasPrefix(result.Answer, "I have no reliable answer: "):
		w.Errorf("fell back without saying why: %q", result.Warnings)
	case err != nil && (!errors.As(err, &failure) || failure.Kind != LLMUnavailable || failure.Remedy == "" || failure.Err == nil):
		w.Errorf("error %v", err)
	case err != nil && r.Mode != "soar":
		w.Errorf("mode %s failed: %v", r.Mode, err)
	}
	list, err2 := w.engine.History(context.Background(), HistoryRequest{})
	if err2 != nil || len(list.Queries) == 0 {
		w.Fatalf("no history: %v", err2)
	}
	at := slices.IndexFunc(list.Queries, func(e journal.Entry) bool { return e.Question == r.Query })
	if at < 0 {
		w.Fatal("the history lacks the question")
	}
	entry := list.Queries[at]
	kept, err2 := replay.Load(context.Background(), w.engine.opts.Journal, entry.ID)
	if err2 != nil || len(kept.Phases) < 11 || kept.Recording == nil || len(kept.Events) == 0 || err != nil && kept.Error == "" {
		w.Fatalf("%d phases, %d events, error %q, %v", len(kept.Phases), len(kept.Events), kept.Error, err2)
	}
	if got := w.spent() - spent; math.Abs(got-entry.USD) > 1e-9 {
		w.Errorf("the account took $%v, the question says $%v", got, entry.USD)
	}
	conversation, _ := w.logOf(w.book, entry.ID)
	checkSections(w.T, conversation)
	made := w.remembered() - records
	if told := result != nil && result.ChunkID != ""; made != 0 && made != 1 || told != (made == 1) {
		w.Errorf("%d records were made, and the answer says %v", made, told)
	}
	if made == 1 && (strings.Contains(result.Answer, "rm -rf") || result.FellBack != "") {
		w.Errorf("remembered: %s", result.Answer)
	}
	return result
}

// TestEveryFaultInHeadlessMode does the same to the tasks of headless mode: the run ends with a status, and its notes, its
// money and the account agree.
func TestEveryFaultInHeadlessMode(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	w := newFaultWorld(t, "")
	for _, task := range []string{prompts.HeadlessStep, prompts.GoalCheck} {
		for _, flaw := range llmtest.Faults {
			t.Run(task+"/"+string(flaw), func(t *testing.T) {
				w.plant(task, flaw, nil)
				spent := w.spent()
				o := w.headless(1, 3)
				path := filepath.Join(t.TempDir(), "scratchpad.md")
				var err error
				if o.Scratchpad, err = openNotes(path); err != nil {
					t.Fatal(err)
				}
				s, err := w.engine.Reasoner().Headless(context.Background(), o)
				if err != nil || s.Word == "" || s.Reason == "" || s.Word == "GOAL_ACHIEVED" {
					t.Fatalf("%+v, %v", s, err)
				}
				if got := w.spent() - spent; math.Abs(got-s.USD) > 1e-9 {
					t.Errorf("the account took $%v, the notes say $%v", got, s.USD)
				}
				again, err := openNotes(path)
				if err != nil || again.Status == nil || again.Status.Word != s.Word || again.Iteration != 1 {
					t.Errorf("notes %+v, %v", again, err)
				}
			})
		}
	}
}
