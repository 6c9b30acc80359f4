package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestBenchContext(t *testing.T) {
	p := newProject(t)
	p.write("retry.go", "package retry\n\n// Backoff waits longer after every failure.\nfunc Backoff(attempt int) int { return 1 << attempt }\n")
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		p.write("noise/"+name+".go", "package noise\n\n"+strings.Repeat("// Nothing of interest stands here, line after line.\n", 80)+"func "+strings.ToUpper(name)+"() {}\n")
	}
	p.write("noise/g.go", "package noise\n\n// failure failure\n"+strings.Repeat("// something else\n", 300)+"func G() {}\n")
	p.write("tasks.json", `[{"task": "wait longer after a failure", "needs": ["retry.go:Backoff"]}]`)
	got := p.run("aurora", "bench", "context", "--tasks", "tasks.json", "--json")
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
	if r.Found.Short || r.Files.Short || r.Found.Tokens == 0 || r.Files.Tokens == 0 {
		t.Errorf("everybody finds it in the end: %+v", r)
	}
	if got := p.run("aurora", "bench", "context", "--tasks", "tasks.json"); got.code != exitOK || !strings.Contains(got.out, "of 1 tasks") {
		t.Errorf("as a table: %s", got)
	}
	for content, says := range map[string]string{
		`{`: "must be a JSON list", `[]`: "holds no task", `[{"task": "x", "needs": ["gone.go:Gone"]}]`: "there is no gone.go:Gone",
		`[{"task": "x"}]`: "needs nothing",
	} {
		p.write("bad.json", content)
		if got := p.run("aurora", "bench", "context", "--tasks", "bad.json"); got.code != exitFailed || !strings.Contains(got.err, says) {
			t.Errorf("%s: %s", content, got)
		}
	}
}

// A reader pays for a line once, however often it is read.
func TestReaderPaysOnce(t *testing.T) {
	c := &corpus{files: []corpusFile{{path: "a", lines: []string{"one line", "another line"}}}, at: map[string]int{"a": 0}}
	r := newReader(c, nil, windowLines)
	r.take(step{0, []int{0}})
	first := r.tokens
	r.take(step{0, []int{0, 1}})
	if first == 0 || r.tokens != first {
		t.Errorf("%d tokens, then %d", first, r.tokens)
	}
}
