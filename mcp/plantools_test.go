package mcp

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"github.com/aurora-sidecar/aurora/prompts"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// withModel gives the world's engine a scripted model and an account of what it costs.
func (w *world) withModel(limits budget.Limits) *llmtest.Server {
	w.Helper()
	server, err := llmtest.Start("127.0.0.1:0")
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		server.Close()
	})
	store, err := sqlite.OpenMemory(w.Context(), sqlite.Options{})
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { store.Close() })
	tracker := budget.New(store, limits, nil)
	g, err := llm.New(llm.Options{
		Endpoint: llm.Endpoint{BaseURL: server.URL, Model: "scripted", Prices: llm.Prices{"scripted": {Prompt: 2, Completion: 8, Cached: 2}}},
		Timeout:  10 * time.Second, Meter: tracker,
	})
	if err != nil {
		w.Fatal(err)
	}
	examples, err := prompts.LoadExamples()
	if err != nil {
		w.Fatal(err)
	}
	e := engine.New(engine.Options{Index: w.index, ReasonOptions: engine.ReasonOptions{
		Models: &engine.Models{Name: "scripted", Reasoning: g, Budget: tracker, Examples: examples}, Budget: tracker, Journal: journal.Open(store, journal.Options{}),
	}})
	w.Cleanup(func() { e.Close() })
	w.server.open = Fixed(api.Local(e), w.dir)
	return server
}

var ample = budget.Limits{Enabled: true, SoftUSD: 90, HardUSD: 100, Period: "monthly"}

func TestDecomposeAndVerify(t *testing.T) {
	w := newWorld(t, "all")
	if text, _, isError := w.call("aurora_decompose", args{"query": "design a cache"}); !isError || !strings.Contains(text, "model") {
		t.Errorf("without a model: %s", text)
	}
	w.withModel(ample)
	const query = "Design and implement caching for TotalPrice and WithTax, and strategy for expiry"
	text, data := w.must("aurora_decompose", args{"query": query, "context": "prices are integers"}, "SG1: ", "Review: PASS")
	plan, ok := data["decomposition"].(map[string]any)
	if !ok || len(plan["subgoals"].([]any)) < 2 {
		t.Fatalf("%s\n%v", text, data)
	}
	_, data = w.must("aurora_verify", args{"query": query, "decomposition": plan}, "PASS")
	if data["verdict"] != "pass" || data["score"].(float64) < 0.7 || data["byModel"] != true {
		t.Errorf("verified: %v", data)
	}
	broken := map[string]any{}
	for k, v := range plan {
		broken[k] = v
	}
	broken["execution_order"] = []string{"SG9"}
	text, data, isError := w.call("aurora_verify", args{"query": query, "decomposition": broken})
	if isError || data["verdict"] == "pass" || !strings.Contains(text, "SG9") || data["byModel"] != false {
		t.Errorf("a plan out of order: %s %v", text, data)
	}
}

// TestVerifyAnswers needs no model for what code can check.
func TestVerifyAnswers(t *testing.T) {
	w := newWorld(t, "all")
	const query = "who calls WithTax?"
	_, data := w.must("aurora_verify", args{"query": query, "output": "`TotalPrice` calls `WithTax` in cart/cart.go:8."}, "PASS", "Checked by code alone")
	if len(data["issues"].([]any)) != 0 {
		t.Errorf("issues %v", data)
	}
	for output, want := range map[string]string{
		"`Checkout` in cart/cart.go:8 does.":     "nothing in the workspace is called `Checkout`",
		"`TotalPrice`, see cart/basket.go:3.":    "there is no file cart/basket.go",
		"`TotalPrice`, see cart/cart.go:999999.": "cart/cart.go has no line 999999",
	} {
		text, data, isError := w.call("aurora_verify", args{"query": query, "output": output})
		if isError || data["verdict"] == "pass" || !strings.Contains(text, want) {
			t.Errorf("%s: %s", output, text)
		}
	}
	for _, bad := range []args{
		{"query": query}, {"query": query, "output": "x", "decomposition": args{"subgoals": []any{}}}, {"query": query, "decomposition": args{"a": 1}},
		{"query": "", "output": "x"}, {"query": query, "output": strings.Repeat("x", 200_000)}, {"query": query, "output": "x", "verification": "hard"},
	} {
		if text, _, isError := w.call("aurora_verify", bad); !isError {
			t.Errorf("%.80v: %s", bad, text)
		}
	}
}

// asking has an agent ask the person, as agents do in the middle of a query.
func (w *world) asking(ctx context.Context, params any, by api.Caller) (any, error) {
	said := "nothing"
	for _, text := range []string{"Which currency?", "How exact?"} {
		answer, ok, err := by.Ask(ctx, engine.Question{AgentID: "accountant", Text: text, Choices: []string{"EUR", "USD"}, Default: "EUR"})
		if err != nil {
			return nil, err
		}
		if ok {
			said = answer
		}
	}
	result, err := api.Local(w.engine).Do(ctx, api.Query.Operation, params, by)
	if err == nil {
		result.(*api.QueryResult).Answer = "They said " + said + "."
	}
	return result, err
}

// elicited connects a client that can put questions to its person.
func elicited(w *world, answer func(*sdk.ElicitParams) *sdk.ElicitResult) {
	w.Helper()
	w.client.Close()
	serverSide, clientSide := sdk.NewInMemoryTransports()
	if _, err := w.server.sdk.Connect(w.Context(), serverSide, nil); err != nil {
		w.Fatal(err)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) { return answer(r.Params), nil },
	})
	session, err := client.Connect(w.Context(), clientSide, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { session.Close() })
	w.client = session
}

func TestQuestionsOfAgents(t *testing.T) {
	w := newWorld(t, "")
	w.fake(fakes{api.Query.Operation: w.asking})
	text, data := w.must("ask", args{"question": "what does TotalPrice cost?"}, "They said nothing.",
		"1. accountant asks: Which currency?", "one of: EUR, USD", "without an answer this counted: EUR", "call ask again")
	if open, _ := data["questions"].([]any); len(open) != 2 {
		t.Errorf("%s\n%v", text, data)
	}
	text, data = w.must("ask", args{"question": "what does TotalPrice cost?", "answers": []string{"USD", ""}}, "They said USD.")
	if data["questions"] != nil {
		t.Errorf("%s\n%v", text, data)
	}
	var asked []string
	elicited(w, func(p *sdk.ElicitParams) *sdk.ElicitResult {
		asked = append(asked, p.Message)
		if len(asked) == 1 {
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"answer": "USD"}}
		}
		return &sdk.ElicitResult{Action: "decline"}
	})
	w.must("ask", args{"question": "what does TotalPrice cost?"}, "They said USD.")
	if !slices.Equal(asked, []string{"accountant asks: Which currency?", "accountant asks: How exact?"}) {
		t.Errorf("asked %q", asked)
	}
}

// TestBudgetIsConfirmed asks the person at the soft limit of the budget.
func TestBudgetIsConfirmed(t *testing.T) {
	w := newWorld(t, "")
	server := w.withModel(budget.Limits{Enabled: true, SoftUSD: 0.000001, HardUSD: 100, Period: "monthly"})
	w.must("ask", args{"question": "What is WithTax?"}) // spends; nobody can be asked
	action := "decline"
	var asked int
	elicited(w, func(p *sdk.ElicitParams) *sdk.ElicitResult {
		asked++
		if !strings.Contains(p.Message, "Proceed with query?") {
			t.Errorf("message %q", p.Message)
		}
		return &sdk.ElicitResult{Action: action, Content: map[string]any{"answer": "yes"}}
	})
	before := len(server.Calls())
	if text, _, isError := w.call("ask", args{"question": "What is TotalPrice?"}); !isError || len(server.Calls()) != before {
		t.Errorf("declined: %s", text)
	}
	action = "accept"
	w.must("ask", args{"question": "What is TotalPrice?"})
	if asked != 2 || len(server.Calls()) == before {
		t.Errorf("asked %d times, %d calls", asked, len(server.Calls())-before)
	}
}

func TestInvocation(t *testing.T) {
	i := Invocation{ByPrefix: true, Prefixes: []string{"aur", "aurora:", "/aurora"}}
	for given, want := range map[string]string{
		"aur who calls X": "who calls X", "Aurora: who?": "who?", "/aurora who?": "who?", "aurora is what?": "aurora is what?", "aur": "aur",
		"who calls aur": "who calls aur",
	} {
		if got := i.bare(given); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
	for given, refused := range map[string]bool{"Thanks!": true, " got it. ": true, "thanks to whom is this slow?": false, "": false} {
		if (refuses(given) != "") != refused {
			t.Errorf("%q: %q", given, refuses(given))
		}
	}
	both := i
	both.Always = true
	for _, tt := range []struct {
		Invocation
		want string
	}{{i, `begins with "aur" or "aurora:"`}, {both, "every question"}, {Invocation{}, ""}} {
		if said := tt.instructions(); tt.want == "" && said != "" || !strings.Contains(said, tt.want) {
			t.Errorf("instructions %q", said)
		}
	}
	w := newWorld(t, "")
	w.server.invocation = i
	if text, _, isError := w.call("ask", args{"question": "thanks!"}); !isError || !strings.Contains(text, "starts no question") {
		t.Errorf("thanks: %s", text)
	}
	w.must("ask", args{"question": "aurora: who calls WithTax?"}, "TotalPrice")
}
