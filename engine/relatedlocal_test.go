package engine

import (
	"slices"
	"testing"
)

// TestRelatedOfAFunctionInsideAnother names a function that search finds and that is no chunk of its own.
func TestRelatedOfAFunctionInsideAnother(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"send.js": "export function send(c) {\n  function settle(v) { return v }\n  return settle(c)\n}\n",
		"keep.py": "def keep(f):\n    def wrapper(*a):\n        return f(*a)\n    return wrapper\n",
		"more.js": "export function other() { return settle(1) }\n",
	})
	r := w.related(RelatedRequest{Symbol: "settle"})
	if got := edges(r); !slices.Equal(got, []string{"caller send.js:send"}) || r.From != "code:send.js:send.settle" {
		t.Errorf("%s: %q, notes %q", r.From, got, r.Notes)
	}
	if r := w.related(RelatedRequest{Symbol: "wrapper"}); len(r.Edges) != 0 {
		t.Errorf("nobody calls it: %q", edges(r))
	}
}
