package engine

import (
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/codebase"
)

var closures = map[string]string{
	"send.js": `/**
 * Sends a request.
 *
 * It never gives up.
 */
function send(request) {
  // Settles the promise.
  var settle = function (value) {
    finish(value);
  };
  return settle;
}
`,
	"other.py": `def retry(send):
    def settle(value):
        return send(value)

    def again(value):
        return settle(value)

    return again


def finish(value):
    def retry(value):
        return value

    return retry(value)
`,
}

// TestSearchFindsFunctionsInsideOthers looks for names that no chunk has.
func TestSearchFindsFunctionsInsideOthers(t *testing.T) {
	w := openWorkspace(t, closures)
	tests := []struct {
		query, container, text string
		line                   int
	}{
		{"again", "retry", "def again(value):\n        return settle(value)", 5},
		{"send.settle", "send", "var settle = function (value) {\n    finish(value);\n  };", 8},
		{"finish.retry", "finish", "def retry(value):\n        return value", 12},
	}
	for _, tt := range tests {
		hits := w.search(SearchRequest{Query: tt.query}).Hits
		if len(hits) == 0 {
			t.Errorf("%s: no hit", tt.query)
			continue
		}
		h := hits[0]
		if h.Name != codebase.LastName(tt.query) || h.Container != tt.container || h.Type != "function" || !strings.HasSuffix(h.Text, tt.text) || h.Line() != tt.line {
			t.Errorf("%s: %s.%s at line %d: %q", tt.query, h.Container, h.Name, h.Line(), h.Text)
		}
		if !strings.HasPrefix(h.Explanation, "exact keyword match on "+h.Name) {
			t.Errorf("%s: explanation %q", tt.query, h.Explanation)
		}
	}
	if h := w.search(SearchRequest{Query: "retry"}).Hits[0]; h.Container != "" || h.Line() != 1 {
		t.Errorf("a function of its own comes before one inside another: got %s.%s", h.Container, h.Name)
	}
}

// TestRangeBeginsBelowTheComment keeps the comment in the text and tells where that begins.
func TestRangeBeginsBelowTheComment(t *testing.T) {
	w := openWorkspace(t, closures)
	for query, want := range map[string]struct{ first, start int }{"send": {0, 5}, "finish": {10, 10}} {
		h := w.search(SearchRequest{Query: query}).Hits[0]
		if h.Name != query || h.FirstLine() != want.first || h.Range.Start.Line != want.start {
			t.Errorf("%s: text from line %d, range from %d", h.Name, h.FirstLine(), h.Range.Start.Line)
		}
		if query == "send" && !strings.HasPrefix(h.Text, "/**\n * Sends") {
			t.Errorf("text %q", h.Text)
		}
	}
}
