package reason

import (
	"slices"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// TestBundle holds what a question brings into its first prompt: the file that it names in whole, what a named symbol
// calls, and no more than there is room for.
func TestBundle(t *testing.T) {
	e := openReasoner(t, nil, time.Now)
	retrieve := func(question string, size soar.Size) (names []string, tokens int) {
		found, err := e.newReasoning(&Models{}, QueryRequest{}).Retrieve(t.Context(), question, size)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range found {
			names = append(names, s.Name)
			tokens += llm.EstimateTokens(s.Text)
		}
		return names, tokens
	}
	if names, _ := retrieve("what is in cart/cart.go?", soar.Size{Hits: 1, Tokens: 8000}); !contains(names, "Cart", "Cart.AddItem", "Cart.TotalPrice", "Describe") {
		t.Errorf("the named file comes as %q", names)
	}
	if names, _ := retrieve("how does `TotalPrice` work?", soar.Size{Hits: 1, Tokens: 8000}); !contains(names, "Cart.TotalPrice", "WithTax") {
		t.Errorf("the named symbol and what it calls come as %q", names)
	}
	if names, tokens := retrieve("how does TotalPrice work?", soar.Size{Hits: 10, Tokens: 150}); tokens > 150 || !slices.Contains(names, "Cart.TotalPrice") {
		t.Errorf("%d tokens of %q, of a room for 150", tokens, names)
	}
}

func contains(names []string, want ...string) bool {
	for _, w := range want {
		if !slices.Contains(names, w) {
			return false
		}
	}
	return true
}
