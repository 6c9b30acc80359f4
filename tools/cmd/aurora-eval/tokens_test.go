package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/text"
)

func TestTokens(t *testing.T) {
	p := newProject(t)
	p.write("retry.go", "package retry\n\n// Backoff waits longer after every failure.\nfunc Backoff(attempt int) int { return 1 << attempt }\n")
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		p.write("noise/"+name+".go", "package noise\n\n"+strings.Repeat("// Nothing of interest stands here, line after line.\n", 80)+"func "+strings.ToUpper(name)+"() {}\n")
	}
	p.write("noise/g.go", "package noise\n\n// failure failure\n"+strings.Repeat("// something else\n", 300)+"func G() {}\n")
	p.write("tasks.json", `[{"task": "wait longer after a failure", "needs": ["retry.go:Backoff"]}]`)
	got := p.run("tokens", "--tasks", "tasks.json", "--json")
	var out struct {
		Tasks []benchRow `json:"tasks"`
	}
	if err := json.Unmarshal([]byte(got.out), &out); err != nil || len(out.Tasks) != 1 {
		t.Fatalf("%v: %s", err, got)
	}
	r := out.Tasks[0]
	if r.Recall != 1 || r.With.Tokens != r.Once || r.With.Short {
		t.Errorf("the context holds all, and nothing more is read: %+v", r)
	}
	if r.Hits.Short || r.Around.Short || r.Grep.Short || r.Files.Short || r.Hits.Tokens == 0 || r.Files.Tokens == 0 {
		t.Errorf("everybody finds it in the end: %+v", r)
	}
	if got := p.run("tokens", "--tasks", "tasks.json"); got.code != exitOK || !strings.Contains(got.out, "of 1 tasks") {
		t.Errorf("as a table: %s", got)
	}
	for content, says := range map[string]string{
		`{`: "must be a JSON list", `[]`: "holds no task", `[{"task": "x", "needs": ["gone.go:Gone"]}]`: "there is no gone.go:Gone",
		`[{"task": "x"}]`: "needs nothing",
	} {
		p.write("bad.json", content)
		if got := p.run("tokens", "--tasks", "bad.json"); got.code != exitFailed || !strings.Contains(got.err, says) {
			t.Errorf("%s: %s", content, got)
		}
	}
}

// A reader pays for a line once, however often it is read.
func TestReaderPaysOnce(t *testing.T) {
	c := &corpus{files: []corpusFile{{path: "a", lines: []string{"one line", "another line"}}}, at: map[string]int{"a": 0}, count: text.EstimateTokens}
	r := newReader(c, nil, window)
	r.take(step{0, [][2]int{{0, 1}}})
	first := r.tokens
	r.take(step{0, [][2]int{{0, 1}, {1, 2}}})
	if first == 0 || r.tokens != first {
		t.Errorf("%d tokens, then %d", first, r.tokens)
	}
}

// The committed tasks name definitions of this repository, which move.
func TestTasksAreOfToday(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	tasks, err := readTasks(filepath.Join(root, "testdata", "bench", "context.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		for _, need := range task.Needs {
			path, name, _ := strings.Cut(need, ":")
			declared := `(func|type) ` + name + `\b`
			if of, method, ok := strings.Cut(name, "."); ok {
				declared = `func \(\w+ \*?` + of + `\) ` + method + `\(`
			}
			src, err := os.ReadFile(filepath.Join(root, path))
			if err != nil || !regexp.MustCompile(declared).Match(src) {
				t.Errorf("%q needs %s, which is not there (%v)", task.Task, need, err)
			}
		}
	}
}
