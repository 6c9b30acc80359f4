package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/assemble/tokens"
	"github.com/aurora-sidecar/aurora/engine/snippet"
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
				if got := exactTokens(t, c.Text); got > budget || c.Tokens.Total != got {
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
	if _, _, err := w.engine.Memory().Remember(context.Background(), RememberRequest{Content: "Totals are in cents.", SourceRef: "cart/cart.go:30"}); err != nil {
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
	if first := c.Snippets[0]; snippet.Qualified(first) != "Cart.TotalPrice" {
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
	var got struct {
		Goal     string
		Snippets []json.RawMessage
	}
	if err := json.Unmarshal([]byte(c.Text), &got); err != nil {
		t.Fatalf("%v:\n%s", err, c.Text)
	}
	if len(got.Snippets) == 0 || got.Goal != "tax" || len(c.Snippets) != 2 || c.Omitted == 0 {
		t.Errorf("%d snippets, %d omitted: %s", len(got.Snippets), c.Omitted, c.Text)
	}
}

func exactTokens(t *testing.T, s string) int {
	t.Helper()
	count, err := tokens.New(tokens.Exact)
	if err != nil {
		t.Fatal(err)
	}
	return count(s)
}

func TestContextEstimates(t *testing.T) {
	w := openWorkspace(t, shop)
	c := w.context(ContextRequest{Query: "tax", Tokens: tokens.Fast, BudgetTokens: 150})
	if got := snippet.EstimateTokens(c.Text); c.Tokens.Total != got || got > 150 || got == exactTokens(t, c.Text) {
		t.Errorf("%d tokens reported, %d estimated", c.Tokens.Total, got)
	}
}

// TestContextIsFull makes sure that room is not wasted: a cut block could not have one line more.
func TestContextIsFull(t *testing.T) {
	var long strings.Builder
	long.WriteString("package long\n\nfunc Long() int {\n")
	for i := range 300 {
		fmt.Fprintf(&long, "\tprice%d := WithTax(%d)\n", i, i)
	}
	long.WriteString("\treturn 0\n}\n")
	w := openWorkspace(t, map[string]string{"long/long.go": long.String()})
	own := w.selection("long/long.go", "price3 := WithTax(3)")
	for _, budget := range []int{200, 500, 501, 502, 503, 1000, 2000} {
		c := w.context(ContextRequest{Select: &own, BudgetTokens: budget})
		if room := budget - c.Tokens.Total; room < 0 || room > 12 {
			t.Errorf("%d tokens of %d are left", room, budget)
		}
	}
}

func TestContextTellsAConversationNothingTwice(t *testing.T) {
	w := openWorkspace(t, shop)
	r := ContextRequest{Query: "add the tax to a price", Conversation: "c1"}
	first := w.context(r)
	second := w.context(r)
	if len(first.Snippets) == 0 || first.Sent != 0 || second.Sent == 0 || len(second.Snippets) >= len(first.Snippets) || len(second.Notes) == 0 {
		t.Fatalf("first %v, then %v, %d sent, notes %q", names(first.Snippets), names(second.Snippets), second.Sent, second.Notes)
	}
	for _, h := range second.Snippets[:len(second.Snippets)-second.Excerpts] {
		for _, old := range first.Snippets[:len(first.Snippets)-first.Excerpts] {
			if h.ID == old.ID {
				t.Errorf("%s came twice", h.ID)
			}
		}
	}
	r.Conversation = "c2"
	if other := w.context(r); other.Text != first.Text {
		t.Error("another conversation did not get all of it")
	}
}

func TestContextLeavesOutWhatIsKnown(t *testing.T) {
	w := openWorkspace(t, shop)
	all := w.context(ContextRequest{Query: "add the tax to a price"})
	for _, known := range []string{all.Snippets[0].ID, all.Snippets[0].Path, all.Snippets[0].Path + ":1-1000"} {
		c := w.context(ContextRequest{Query: "add the tax to a price", Known: []string{known}})
		for _, h := range c.Snippets {
			if h.ID == all.Snippets[0].ID {
				t.Errorf("known %s came again", known)
			}
		}
		if c.Sent == 0 {
			t.Errorf("known %s was not counted", known)
		}
	}
}

// TestContextIsDiverse puts the same code in two files: the second copy gives way to something else.
func TestContextIsDiverse(t *testing.T) {
	body := "\ttotal := 0\n\tfor _, price := range prices {\n\t\ttotal += price + price*rate/100\n\t}\n\treturn total\n}\n"
	w := openWorkspace(t, map[string]string{
		"a/a.go": "package a\n\n// AddTax adds tax to prices.\nfunc AddTax(prices []int, rate int) int {\n" + body,
		"b/b.go": "package b\n\n// AddTaxes adds tax to prices.\nfunc AddTaxes(prices []int, rate int) int {\n" + body,
		"c/c.go": "package c\n\n// Exempt reports whether tax is due for a customer abroad.\nfunc Exempt(country string) bool {\n\treturn country != \"home\"\n}\n",
	})
	none, most := 0.0, 0.9
	same := w.context(ContextRequest{Query: "tax of prices", K: 2, Diversity: &none})
	other := w.context(ContextRequest{Query: "tax of prices", K: 2, Diversity: &most})
	if blocks(same) == blocks(other) || !strings.Contains(blocks(other), "Exempt") {
		t.Errorf("without diversity %s, with %s", blocks(same), blocks(other))
	}
}

func blocks(c *ContextResult) string {
	return strings.Join(names(c.Snippets[:len(c.Snippets)-c.Excerpts]), " ")
}

// TestContextBringsHelpers shows what the found code calls, although no word of the task is in it.
func TestContextBringsHelpers(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"net/upload.go": "package net\n\n// Upload sends a file and retries when the network fails.\nfunc Upload() error {\n\tfor pause() {\n\t\tif post() == nil {\n\t\t\treturn nil\n\t\t}\n\t}\n\treturn nil\n}\n",
		"net/pause.go":  "package net\n\nfunc pause() bool {\n\tleft--\n\tclock.Sleep(step)\n\treturn left > 0\n}\n",
		"net/other.go":  "package net\n\nfunc other() bool {\n\treturn clock.Now() > 0\n}\n",
	})
	c := w.context(ContextRequest{Query: "upload a file again when the network fails"})
	if got := blocks(c); !strings.Contains(got, "net/pause.go:pause") || strings.Contains(got, "other.go") {
		t.Errorf("blocks: %s", got)
	}
}

// TestContextOfSomethingUnheardOf gives the nearest there is, and says how little that is worth.
func TestContextOfSomethingUnheardOf(t *testing.T) {
	w := openWorkspace(t, shop)
	r := ContextRequest{Query: "raise the ceiling for loyal price hunters abroad"}
	found, err := w.engine.Search(context.Background(), SearchRequest{Query: r.Query})
	if err != nil || len(found.Hits) != 0 {
		t.Fatalf("the search is not silent: %v %v", names(found.Hits), err)
	}
	c := w.context(r)
	notes := strings.Join(c.Notes, "\n")
	if len(c.Snippets) == 0 || !strings.Contains(notes, "weak:") || !strings.Contains(notes, "nothing here answers that") {
		t.Errorf("%d snippets, notes %q", len(c.Snippets), c.Notes)
	}
	own := w.selection("cart/cart.go", "sum := 0")
	for _, n := range w.context(ContextRequest{Query: r.Query, Select: &own}).Notes {
		if strings.Contains(n, "weak:") {
			t.Errorf("a selection is not weak: %q", n)
		}
	}
}

var tooDiverse = 1.5

// TestContextOfLittle takes nothing from nothing, and the one hit from one.
func TestContextOfLittle(t *testing.T) {
	w := openWorkspace(t, shop)
	if c := w.context(ContextRequest{Query: "zzyzx"}); len(c.Snippets) != 0 || len(c.Notes) == 0 {
		t.Errorf("of nothing: %s, notes %q", blocks(c), c.Notes)
	}
	if c := w.context(ContextRequest{Query: "WithTax", K: 1}); blocks(c) != "price/tax.go:WithTax" {
		t.Errorf("of one: %s", blocks(c))
	}
}

func TestContextBadInput(t *testing.T) {
	w := openWorkspace(t, shop)
	for detail, r := range map[string]ContextRequest{
		"budgetTokens":   {Query: "x", BudgetTokens: -1},
		"k":              {Query: "x", K: -1},
		"format":         {Query: "x", Format: "yaml"},
		"tokens":         {Query: "x", Tokens: "words"},
		"diversity":      {Query: "x", Diversity: &tooDiverse},
		"conversationId": {Query: "x", Conversation: strings.Repeat("x", 201)},
		"query":          {},
		"scope.types":    {Query: "x", Scope: Scope{Types: []string{"none"}}},
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
