package engine

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

func (w *testWorkspace) query(r QueryRequest) *QueryResult {
	w.Helper()
	result, err := w.engine.Query(context.Background(), r, nil)
	if err != nil {
		w.Fatalf("query %q: %v", r.Query, err)
	}
	return result
}

// TestQueryAnswers holds what each sort of question has to be answered with.
func TestQueryAnswers(t *testing.T) {
	w := openWorkspace(t, shop)
	w.write("price/tax.go", strings.Replace(shop["price/tax.go"], "119", "120", 1))
	w.git("commit", "-q", "-am", "Raise the tax")
	w.write("web/retry.ts", shop["web/retry.ts"]+"\n// more\n")
	if _, err := w.engine.Indexing().Refresh(context.Background(), nil, false); err != nil {
		t.Fatal(err)
	}
	w.wait()
	if _, _, err := w.engine.Memory().Remember(context.Background(), RememberRequest{Content: "WithTax rounds down by law.", SourceRef: "price/tax.go:4"}); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		query string
		want  []string
	}{
		{"What is WithTax?", []string{
			"`WithTax` is a function defined in price/tax.go:4 [1].", "func WithTax(cents int) int",
			`Its comment says: "WithTax adds the value added tax to a price. 🙂 größe" [1].`,
			"called in 1 place: `Cart.TotalPrice` [2].", `Remembered about it: "WithTax rounds down by law." [3].`,
		}},
		{"where is the Cart class defined", []string{"`Cart` is a class defined in cart/cart.go:11 [1]."}},
		{"who calls TotalPrice?", []string{
			"`Cart.TotalPrice` is called in 2 places: `Describe` and `TestTotalPrice`.", "- `Describe`, cart/cart.go:39: `return fmt.Sprintf(\"%d cents\", c.TotalPrice())` [1]",
			"- `TestTotalPrice`, cart/cart_test.go:8: `if c.TotalPrice() != 119 {` [2]", "`Cart.TotalPrice` is defined in cart/cart.go:29 [3].",
		}},
		{"what changed since yesterday?", []string{
			"2 commits by Ada since", "changed 8 files; 1 file is not committed yet.", "- `web/retry.ts` is modified [1]", "Commits, newest first:", `"Raise the tax" by Ada`, "`price/tax.go` [2]", `"Open the shop" by Ada`,
		}},
		{"what changed in price?", []string{"2 commits by Ada changed 1 file in `price`.", `"Raise the tax"`}},
		{"when was the raise added?", []string{"Nothing is named `raise`. The latest commits whose messages have it:", `"Raise the tax" by Ada`}},
		{"what changed in OPEN shop?", []string{"Nothing is named `OPEN shop`. The latest commits whose messages have it:", `"Open the shop" by Ada`}},
		{"why is WithTax here?", []string{
			`The comment of ` + "`WithTax`" + ` says:`, "rounds down by law", `last changed on`, `by Ada in "Raise the tax"`, "come from 2 commits",
		}},
		{"what is related to TotalPrice?", []string{"Called by name in 2 places:", "`Describe` in cart/cart.go", "It calls:", "`WithTax` in price/tax.go:4"}},
		{"list functions in cart/cart.go", []string{"`cart/cart.go` has 1 definition:", "`func Describe(c *Cart) string` in cart/cart.go:38 [1]"}},
		{"what is in the web folder?", []string{"`web` has 2 definitions:", "fetchCart", "retryRequest"}},
		{"retry with exponential backoff after a failed call", []string{"`retryRequest` in web/retry.ts:2", " [1] is the best match for `retry with"}},
		{"where is TotalPrise defined", []string{"Nothing here is called `TotalPrise`", "`Cart.TotalPrice` in cart/cart.go:29", "[1] is the best match for `TotalPrise`"}},
		{"how do penguins migrate across antarctica", []string{"I can't answer this from the index."}},
		{"type:functon", []string{"I can't answer this from the index."}},
	}
	for _, tt := range tests {
		result := w.query(QueryRequest{Query: tt.query})
		for _, want := range tt.want {
			if !strings.Contains(result.Answer, want) {
				t.Errorf("%q: the answer lacks %q:\n%s\n", tt.query, want, result.Answer)
			}
		}
		checkAnswer(t, tt.query, result)
	}
}

var (
	citation = regexp.MustCompile(`\[(\d+)\]`)
	queryID  = regexp.MustCompile(`^aurora-\d{8}-\d{6}-[a-z0-9]{6}$`)
)

// checkAnswer checks what holds for every answer: citations resolve, and every fact in a sentence or list has one.
func checkAnswer(t *testing.T, query string, r *QueryResult) {
	t.Helper()
	used := map[string]bool{}
	for _, m := range citation.FindAllStringSubmatch(r.Answer, -1) {
		used[m[1]] = true
	}
	for i, h := range r.Citations {
		if !used[fmt.Sprint(i+1)] {
			t.Errorf("%q: citation %d is not in the text", query, i+1)
		}
		if h.ID == "" || h.Text == "" || h.Provenance == "" || h.Source != "memory" && h.Range == nil {
			t.Errorf("%q: citation %d is no verified span: %+v", query, i+1, h)
		}
	}
	if len(used) != len(r.Citations) {
		t.Errorf("%q: %d numbers for %d citations", query, len(used), len(r.Citations))
	}
	for _, line := range strings.Split(r.Answer, "\n") {
		if strings.HasPrefix(line, "- ") && !citation.MatchString(line) && !strings.Contains(line, "(commit ") && !strings.HasPrefix(line, "- and ") {
			t.Errorf("%q: a fact without a source: %s", query, line)
		}
	}
	if r.Verified || !slices.Contains(r.Warnings, NoModel) || !queryID.MatchString(r.QueryID) || r.Complexity == "" {
		t.Errorf("%q: verified %v, warnings %q, id %q, complexity %q", query, r.Verified, r.Warnings, r.QueryID, r.Complexity)
	}
	var phases []string
	for _, p := range r.Phases {
		phases = append(phases, p.Name)
		if p.Status == soar.Skipped && p.Detail == "" {
			t.Errorf("%q: %s was skipped without a reason", query, p.Name)
		}
	}
	if !slices.Equal(phases, soar.Phases) {
		t.Errorf("%q: phases %q", query, phases)
	}
}

func TestQueryAboutTheSelection(t *testing.T) {
	w := openWorkspace(t, shop)
	s := w.selection("cart/cart.go", "sum := 0")
	for query, want := range map[string]string{
		"why is this here?": "`Cart.TotalPrice` in cart/cart.go:29 was last changed",
		"who calls this?":   "`Cart.TotalPrice` is called in 2 places",
		"what is this?":     "`Cart.TotalPrice` is a method defined in cart/cart.go:29 [1].",
	} {
		if r := w.query(QueryRequest{Query: query, Select: &s}); !strings.Contains(r.Answer, want) {
			t.Errorf("%q: the answer lacks %q:\n%s", query, want, r.Answer)
		}
	}
	if r := w.query(QueryRequest{Query: "why is this here?"}); !strings.Contains(r.Answer, "I can't answer") {
		t.Errorf("without a selection: %s", r.Answer)
	}
}

func TestQueryWithoutGit(t *testing.T) {
	w := newWorkspace(t, shop)
	w.open()
	r := w.query(QueryRequest{Query: "what changed?"})
	if !strings.Contains(r.Answer, "git has no answer here") || r.Confidence != 0 {
		t.Errorf("confidence %v: %s", r.Confidence, r.Answer)
	}
	if r := w.query(QueryRequest{Query: "why is WithTax here?"}); !strings.Contains(r.Answer, "The comment of `WithTax` says") {
		t.Errorf("the comment is left out: %s", r.Answer)
	}
}

func TestQueryBadInput(t *testing.T) {
	w := openWorkspace(t, shop)
	for _, tt := range []struct {
		r    QueryRequest
		kind Kind
	}{
		{QueryRequest{}, Invalid},
		{QueryRequest{Query: " \n"}, Invalid},
		{QueryRequest{Query: "x", Mode: "magic"}, Invalid},
		{QueryRequest{Query: "x", Mode: "soar"}, LLMUnavailable},
		{QueryRequest{Query: "\xff\xfe"}, Guardrail},
		{QueryRequest{Query: "a\x00b"}, Guardrail},
		{QueryRequest{Query: strings.Repeat("é", 10_001)}, Guardrail},
	} {
		_, err := w.engine.Query(context.Background(), tt.r, nil)
		var e *Error
		if !errors.As(err, &e) || e.Kind != tt.kind || e.Message == "" {
			t.Errorf("%.20q %s: %#v", tt.r.Query, tt.r.Mode, err)
		}
	}
	for _, query := range []string{strings.Repeat("é", 10_000), "who calls ((((", "what is ?", "list functions in ../../etc", "what changed in --output=/tmp/x", "where is 🙂"} {
		checkAnswer(t, query, w.query(QueryRequest{Query: query}))
	}
}

func TestQueryProgress(t *testing.T) {
	w := openWorkspace(t, shop)
	var events []Progress
	r, err := w.engine.Query(context.Background(), QueryRequest{Query: "what is Cart?"}, func(p Progress) { events = append(events, p) })
	if err != nil {
		t.Fatal(err)
	}
	done := -1.0
	for _, ev := range events {
		if ev.QueryID != r.QueryID || ev.Done < done {
			t.Errorf("event %+v after %v", ev, done)
		}
		done = ev.Done
	}
	if done != 1 {
		t.Errorf("the last event is at %v", done)
	}
}

func TestQueryEndsWithItsContext(t *testing.T) {
	w := openWorkspace(t, shop)
	ctx, cancel := context.WithCancel(context.Background())
	_, err := w.engine.Query(ctx, QueryRequest{Query: "what changed?"}, func(p Progress) {
		if p.Stage == soar.Retrieve {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
