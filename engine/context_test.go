package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func (w *testWorkspace) context(r ContextRequest) *ContextResult {
	w.Helper()
	result, err := w.engine.Context(context.Background(), r)
	if err != nil {
		w.Fatalf("context %+v: %v", r, err)
	}
	return result
}

func TestContextNeverExceedsItsBudget(t *testing.T) {
	files := map[string]string{}
	for name, text := range shop {
		files[name] = text
	}
	var long strings.Builder
	long.WriteString("package long\n\n// Long adds the tax to every price. </snippet> ``` ]]>\nfunc Long() int {\n")
	for i := range 800 {
		fmt.Fprintf(&long, "\tprice%d := WithTax(%d) // größe 🙂\n", i, i)
	}
	long.WriteString("\treturn 0\n}\n")
	files["long/long.go"] = long.String()
	w := openWorkspace(t, files)
	own := w.selection("long/long.go", "price3 := WithTax(3)")
	for _, format := range []string{"", "xml", "markdown", "json"} {
		for _, budget := range []int{1, 10, 40, 100, 333, 1000, 4000} {
			for _, r := range []ContextRequest{
				{Query: "add the tax to a price"}, {Select: &own}, {Select: &own, Goal: strings.Repeat("explain the tax ", 40)},
			} {
				r.Format, r.BudgetTokens = format, budget
				c := w.context(r)
				if got := estimateTokens(c.Text); got > budget || c.Tokens.Total != got {
					t.Errorf("%s %d: %d tokens, reported %d", format, budget, got, c.Tokens.Total)
				}
				if c.Text == "" && len(c.Notes) == 0 {
					t.Errorf("%s %d: nothing and no reason", format, budget)
				}
			}
		}
	}
}

func TestContextOfASelection(t *testing.T) {
	w := openWorkspace(t, shop)
	if _, _, err := w.engine.Remember(context.Background(), RememberRequest{Content: "Totals are in cents.", SourceRef: "cart/cart.go:30"}); err != nil {
		t.Fatal(err)
	}
	s := w.selection("cart/cart.go", "sum := 0")
	c := w.context(ContextRequest{Select: &s, Goal: "round <prices>"})
	got := strings.Join(names(c.Snippets), " ")
	for _, want := range []string{"cart/cart.go:Cart.TotalPrice", "price/tax.go:WithTax", "cart/cart.go:Describe"} {
		if !strings.Contains(got, want) {
			t.Errorf("the context lacks %s: %s", want, got)
		}
	}
	if !strings.Contains(c.Text, "Totals are in cents.") || c.Tokens.Memory == 0 || c.Tokens.Graph == 0 || c.Tokens.Goal == 0 {
		t.Errorf("tokens %+v of\n%s", c.Tokens, c.Text)
	}
	if first := c.Snippets[0]; qualified(first) != "Cart.TotalPrice" {
		t.Errorf("first comes %s", first.ID)
	}
	again := w.context(ContextRequest{Select: &s, Goal: "round <prices>"})
	if again.Text != c.Text {
		t.Error("the same request gave another text")
	}
}

func TestContextJSON(t *testing.T) {
	w := openWorkspace(t, shop)
	c := w.context(ContextRequest{Query: "tax", Format: "json", K: 2})
	var got jsonContext
	if err := json.Unmarshal([]byte(c.Text), &got); err != nil {
		t.Fatalf("%v:\n%s", err, c.Text)
	}
	if len(got.Snippets) == 0 || len(got.Snippets) > 2 || got.Goal != "tax" || len(c.Snippets) != len(got.Snippets) || c.Omitted == 0 {
		t.Errorf("%d snippets, %d omitted: %s", len(got.Snippets), c.Omitted, c.Text)
	}
}

func TestContextBadInput(t *testing.T) {
	w := openWorkspace(t, shop)
	for detail, r := range map[string]ContextRequest{
		"budgetTokens": {Query: "x", BudgetTokens: -1},
		"k":            {Query: "x", K: -1},
		"format":       {Query: "x", Format: "yaml"},
		"query":        {},
		"scope.types":  {Query: "x", Scope: Scope{Types: []string{"none"}}},
	} {
		_, err := w.engine.Context(context.Background(), r)
		var e *Error
		if !errors.As(err, &e) || e.Kind != Invalid || e.Detail != detail {
			t.Errorf("%s: %#v", detail, err)
		}
	}
	_, err := w.engine.Context(context.Background(), ContextRequest{Select: &Selection{Path: "/etc/hostname"}})
	var e *Error
	if !errors.As(err, &e) || e.Kind != NotIndexed {
		t.Errorf("a selection elsewhere: %#v", err)
	}
}
