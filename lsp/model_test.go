package lsp_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

const cartArchive = "-- go.mod --\nmodule example.com/shop\n-- cart.go --\npackage shop\n\n// Checkout pays.\nfunc Checkout() {}\n"

// scripted returns models on a scripted server, with a budget that warns from soft dollars on.
// journals are where scripted models note what they cost: questions to them are noted beside it.
var journals sync.Map // of *engine.Models

// journalOf is the journal of the models, or of a store.
func journalOf(models *engine.Models, store *sqlite.Store) *journal.Journal {
	if kept, ok := journals.Load(models); ok {
		store = kept.(*sqlite.Store)
	}
	return journal.Open(store, journal.Options{})
}

func scripted(t *testing.T, soft float64) (*engine.Models, *llmtest.Server) {
	t.Helper()
	model, err := llmtest.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		model.Close()
	})
	limits := budget.Limits{Enabled: true, SoftUSD: soft, HardUSD: 100, Period: "monthly"}
	store, err := sqlite.OpenMemory(t.Context(), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tracker := budget.New(store, limits, nil)
	g, err := llm.New(llm.Options{Endpoint: llm.Endpoint{BaseURL: model.URL, Model: "scripted", Prices: llm.Prices{"scripted": {Prompt: 1, Completion: 4, Cached: 1}}}, Meter: tracker})
	if err != nil {
		t.Fatal(err)
	}
	models := &engine.Models{Name: "scripted", Reasoning: g, Budget: tracker}
	journals.Store(models, store)
	t.Cleanup(func() { journals.Delete(models); store.Close() })
	return models, model
}

func connectModel(t *testing.T, models *engine.Models, config lsp.Config) *lsp.Editor {
	t.Helper()
	w := newWorldWith(t, models)
	config.Dir = workspace(t, cartArchive)
	e, _ := w.connect(config)
	e.AwaitReady()
	return e
}

// TestQueryStreams has an editor see the answer while it is written, and the phases and cost in the result.
func TestQueryStreams(t *testing.T) {
	models, _ := scripted(t, 50)
	e := connectModel(t, models, lsp.Config{})
	var answer api.QueryResult
	e.Call("aurora/query", map[string]any{"query": "what is Checkout?", "workDoneToken": "w"}, &answer)
	if answer.Cost.Calls != 1 || answer.Cost.USD <= 0 || answer.Cost.PromptTokens == 0 || answer.Model != "scripted" || len(answer.Phases) != 11 || len(answer.Citations) == 0 {
		t.Errorf("%+v", answer)
	}
	state := e.Await("the end of the progress", func(s *lsp.State) bool {
		kinds := s.Progress["w"]
		return len(kinds) > 0 && kinds[len(kinds)-1] == "end"
	})
	streamed := ""
	for _, raw := range state.Aurora {
		var p api.ProgressParams
		if err := json.Unmarshal([]byte(raw), &p); err != nil {
			t.Fatal(err)
		}
		if p.Data != nil {
			streamed += p.Data.Delta
		}
	}
	if streamed != answer.Answer || streamed == "" {
		t.Errorf("streamed %q, answered %q", streamed, answer.Answer)
	}
	answer = api.QueryResult{}
	e.Call("aurora/query", map[string]any{"query": "compare Checkout with nothing", "mode": "soar"}, &answer)
	if !answer.Verified || answer.OverallScore == nil || len(answer.Subgoals) != 3 || answer.ChunkID == "" {
		t.Errorf("%+v", answer)
	}
}

// TestQueryCancelled ends a query that waits for a model that never answers. The contract says 100 ms; a machine that is
// busy with other tests may take longer.
func TestQueryCancelled(t *testing.T) {
	models, model := scripted(t, 50)
	model.Script(llmtest.Step{Fault: llmtest.Hang})
	e := connectModel(t, models, lsp.Config{})
	failed := make(chan error, 1)
	go func() {
		failed <- e.Try("aurora/query", map[string]any{"query": "what is Checkout?", "workDoneToken": "w"}, nil)
	}()
	<-model.Hanging()
	start := time.Now()
	e.Notify("window/workDoneProgress/cancel", map[string]any{"token": "w"})
	if err := <-failed; lsp.Code(err) != -32800 || time.Since(start) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

// TestQueryAsksAtTheSoftLimit holds that the person is asked before money is spent, and that no answer is a no.
func TestQueryAsksAtTheSoftLimit(t *testing.T) {
	for _, dismisses := range []bool{false, true} {
		models, model := scripted(t, 0)
		e := connectModel(t, models, lsp.Config{Dismisses: dismisses})
		err := e.Try("aurora/query", map[string]any{"query": "what is Checkout?"}, nil)
		if asked := e.State().Asked; len(asked) != 1 || !strings.Contains(asked[0], "Near budget limit") {
			t.Errorf("asked %q", asked)
		}
		want, calls := 0, 1
		if dismisses {
			want, calls = 1002, 0
		}
		if lsp.Code(err) != want || len(model.Calls()) != calls {
			t.Errorf("dismisses %v: %v, %d calls", dismisses, err, len(model.Calls()))
		}
	}
}

// TestModelUnavailable holds the contract's error 1003 for mode soar, and an answer all the same for mode auto.
func TestModelUnavailable(t *testing.T) {
	models, model := scripted(t, 50)
	model.Script(llmtest.Step{Fault: llmtest.Unauthorized})
	e := connectModel(t, models, lsp.Config{})
	if err := e.Try("aurora/query", map[string]any{"query": "what is Checkout?", "mode": "soar"}, nil); lsp.Code(err) != 1003 {
		t.Errorf("mode soar: %v", err)
	}
	var answer api.QueryResult
	e.Call("aurora/query", map[string]any{"query": "what is Checkout?"}, &answer)
	if !strings.Contains(answer.Answer, "`Checkout` is a function") || !strings.Contains(answer.Warnings[0], "HTTP 401") {
		t.Errorf("%+v", answer)
	}
}

// TestEditorLendsItsModel has a query answered by the editor's own model, by tiers, without a key or a price.
func TestEditorLendsItsModel(t *testing.T) {
	var tiers []string
	var mu sync.Mutex
	answers := func(p api.CompleteParams) (*api.CompleteResult, error) {
		mu.Lock()
		defer mu.Unlock()
		tiers = append(tiers, p.Tier)
		call := llmtest.Call{}
		for _, m := range p.Messages {
			call.Messages = append(call.Messages, llmtest.Message{Role: m.Role, Content: m.Content})
		}
		return &api.CompleteResult{Text: llmtest.Reply(call), Model: "lent", Usage: &api.Usage{PromptTokens: 10, CompletionTokens: 5}}, nil
	}
	lending := map[string]any{"aurora": map[string]any{"client": api.ClientFeatures{Complete: true, Progress: true, Status: true}}}
	e := connectModel(t, nil, lsp.Config{Complete: answers, Options: lending})
	var answer api.QueryResult
	e.Call("aurora/query", map[string]any{"query": "what is Checkout?"}, &answer)
	if answer.Cost != (api.Cost{PromptTokens: 10, CompletionTokens: 5, Calls: 1}) || !strings.HasPrefix(answer.Answer, "`Checkout` is in cart.go:4 [1].") {
		t.Errorf("%+v", answer)
	}
	answer = api.QueryResult{}
	e.Call("aurora/query", map[string]any{"query": "compare Checkout with nothing", "mode": "soar"}, &answer)
	if !answer.Verified || answer.ChunkID == "" || answer.Model != "lent" {
		t.Errorf("%+v", answer)
	}
	if got := strings.Join(tiers, " "); !strings.HasPrefix(got, "fast fast reasoning reasoning") {
		t.Errorf("tiers %s", got)
	}

	declining := func(api.CompleteParams) (*api.CompleteResult, error) {
		return nil, errors.New("the user said no")
	}
	e = connectModel(t, nil, lsp.Config{Complete: declining, Options: lending})
	answer = api.QueryResult{}
	e.Call("aurora/query", map[string]any{"query": "what is Checkout?"}, &answer)
	if !strings.Contains(answer.Warnings[0], "the user said no") || !strings.Contains(answer.Answer, "`Checkout` is a function") {
		t.Errorf("declined: %+v", answer)
	}
	if err := e.Try("aurora/query", map[string]any{"query": "what is Checkout?", "mode": "soar"}, nil); lsp.Code(err) != 1003 {
		t.Errorf("declined, mode soar: %v", err)
	}
}

// A model of the editor may come and go while it runs.
func TestEditorLendsItsModelLater(t *testing.T) {
	answers := func(api.CompleteParams) (*api.CompleteResult, error) {
		return &api.CompleteResult{Text: "`Checkout` is in cart.go:4 [1].", Model: "lent"}, nil
	}
	e := connectModel(t, nil, lsp.Config{Complete: answers})
	for i, lent := range []bool{false, true, false} {
		if i > 0 {
			e.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"aurora": map[string]any{"client": map[string]any{"complete": lent}}}})
		}
		var answer api.QueryResult
		e.Call("aurora/query", map[string]any{"query": "what is Checkout?", "force": true}, &answer)
		if got := answer.Cost.Calls > 0; got != lent {
			t.Errorf("lent %v: %+v", lent, answer)
		}
	}
}

func TestAssessAndBudget(t *testing.T) {
	models, _ := scripted(t, 50)
	w := newWorldWith(t, models)
	e, _ := w.connect(lsp.Config{Dir: workspace(t, cartArchive)})
	var a api.AssessResult
	e.Call("aurora/assess", map[string]any{"query": "design a cache"}, &a)
	if a.Complexity != "COMPLEX" || a.Score != 0.7 || a.Confidence != 0.6 || a.Route != "soar" || a.EstimatedCostUSD <= 0 || len(a.Indicators) != 1 {
		t.Errorf("%+v", a)
	}
	if err := e.Try("aurora/assess", map[string]any{"query": " "}, nil); lsp.Code(err) != -32602 {
		t.Errorf("empty: %v", err)
	}
	e.Call("aurora/query", map[string]any{"query": "what is Checkout?"}, nil)
	var b api.BudgetResult
	e.Call("aurora/budget", nil, &b)
	if b.LimitUSD != 100 || b.ConsumedUSD <= 0 || b.Queries != 1 || len(b.Period) != len("2025-12-01/2025-12-31") {
		t.Errorf("%+v", b)
	}
	e.Call("aurora/budget", map[string]any{"action": "reset"}, &b)
	if b.ConsumedUSD != 0 {
		t.Errorf("after the reset: %+v", b)
	}
	e.Call("aurora/budget", map[string]any{"action": "history"}, &b)
	if len(b.History) != 2 || b.History[0].Queries != 1 {
		t.Errorf("history: %+v", b)
	}
	for _, bad := range []map[string]any{{"action": "spend"}, {"action": "history", "month": "May"}} {
		if err := e.Try("aurora/budget", bad, nil); lsp.Code(err) != -32602 {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

func TestDecompose(t *testing.T) {
	models, model := scripted(t, 50)
	e := connectModel(t, models, lsp.Config{})
	var d struct {
		Decomposition struct {
			Subgoals []struct{ ID string }
		}
		Verification struct {
			Verdict string
			Overall float64 `json:"overall_score"`
		}
	}
	e.Call("aurora/decompose", map[string]any{"query": "what is Checkout?", "workDoneToken": "w"}, &d)
	if len(d.Decomposition.Subgoals) != 3 || d.Verification.Verdict != "pass" || d.Verification.Overall != 0.9 {
		t.Errorf("%+v", d)
	}
	for _, c := range model.Calls() {
		if c.Task == "solve" || c.Task == "synthesize" {
			t.Errorf("%s was asked", c.Task)
		}
	}
	model.Script(llmtest.Step{Fault: llmtest.Unauthorized})
	if err := e.Try("aurora/decompose", map[string]any{"query": "move Checkout"}, nil); lsp.Code(err) != 1003 {
		t.Errorf("refused: %v", err)
	}
	if err := connectModel(t, nil, lsp.Config{}).Try("aurora/decompose", map[string]any{"query": "move Checkout"}, nil); lsp.Code(err) != 1003 {
		t.Errorf("without a model: %v", err)
	}
}
