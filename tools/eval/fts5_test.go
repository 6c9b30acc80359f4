package eval

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestReference asks the reference about a tiny repository: names weigh more than texts, stems are found, tests come later, and the
// figures are those of the same relevance as the program's.
func TestReference(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"src/parse.go":      "package src\n\n// ParseHeader reads a header.\nfunc ParseHeader(s string) {}\n",
		"src/serve.go":      "package src\n\n// Serve answers; it parses the header first.\nfunc Serve() { ParseHeader(\"\") }\n",
		"src/wait.go":       "package src\n\nfunc Wait() { retries() }\n",
		"src/parse_test.go": "package src\n\n// TestParseHeader reads a header.\nfunc TestParseHeader() { ParseHeader(\"x\") }\n",
		"vendor/a/wait.go":  "package a\n\nfunc Wait() { retries() }\n",
		"set.jsonl": `{"id": "name", "query": "parse header", "category": "c", "relevant": [{"path": "src/parse.go", "name": "ParseHeader"}]}
{"id": "stem", "query": "retry", "category": "c", "relevant": ["src/wait.go"]}
{"id": "second", "query": "parse header", "category": "c", "relevant": [{"path": "src/serve.go"}]}
{"id": "absent", "query": "\"*()\"", "category": "c", "relevant": ["src/wait.go"]}
{"id": "none", "query": "penguins", "category": "c"}
`,
	})
	queries, err := Load(filepath.Join(dir, "set.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	run, err := Search(context.Background(), queries, Options{Repos: dir, Reference: true, Leave: []string{filepath.Join(dir, "set.jsonl")}})
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Answers) != 5 || len(run.Reference) != 4 {
		t.Fatalf("%d answers, %d of the reference", len(run.Answers), len(run.Reference))
	}
	for i, want := range []string{"ParseHeader Serve TestParseHeader", "Wait Wait", "ParseHeader Serve TestParseHeader", ""} {
		var names []string
		for _, h := range run.Reference[i].Hits {
			if h.Name != "" {
				names = append(names, h.Name)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %q, want %q", run.Reference[i].ID, got, want)
		}
	}
	if g := run.ReferenceGroup(); g.Queries != 4 || g.MRR != (1+1+0.5)/4 {
		t.Errorf("%+v", g)
	}
}
