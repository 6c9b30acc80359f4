package engine

import (
	"fmt"
	"slices"
	"testing"
)

// TestRelatedAt asks where each neighbour uses the symbol: in code, not where a comment or a string has the word.
func TestRelatedAt(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"shop/basket.py": `class Basket:
    def __init__(self, items):
        self.items = items

    def total(self):
        return sum(self.items)


LIMIT = 10


def price(basket: Basket):
    """
    The same as basket.total() with "total()" in words.
    """
    label = "🍏 total("; return label, basket.total()


def outer():
    def inner():
        return Basket([2]).total()

    made = Basket([1])
    return inner, made.total() < LIMIT
`,
		"shop/test_basket.py": "from shop.basket import Basket\n\n\ndef test_total():\n    # total() of nothing\n    assert Basket([]).total() == 0\n",
	})
	at := func(line string, directions ...string) []string {
		var out []string
		for _, d := range directions {
			for _, e := range w.related(RelatedRequest{Place: w.offset("shop/basket.py", line), Direction: d}).Edges {
				place := "nowhere"
				if e.At != nil {
					place = fmt.Sprintf("%d:%d-%d", e.At.Start.Line+1, e.At.Start.Byte, e.At.End.Byte)
				}
				out = append(out, e.Kind+" "+e.To.Name+" "+place)
			}
		}
		slices.Sort(out)
		return out
	}
	for line, want := range map[string][]string{
		"def to|tal":    {"caller outer 21:27-32", "caller price 16:48-53", "caller test_total 6:22-27", "test test_total 6:22-27"},
		"class Bas|ket": {"caller outer 21:15-21", "caller test_total 6:11-17", "test test_total 6:11-17", "type price 12:18-24"},
		"LIM|IT = 10":   {"read outer 24:33-38"},
	} {
		got := at(line, "callers", "tests")
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
