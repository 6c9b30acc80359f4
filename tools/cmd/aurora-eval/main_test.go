package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
)

// A project is a folder to measure, with a home of its own.
type project struct {
	t   *testing.T
	dir string
}

func newProject(t *testing.T) *project {
	t.Helper()
	for _, env := range os.Environ() {
		if name, _, _ := strings.Cut(env, "="); strings.HasPrefix(name, "AURORA_") || strings.HasPrefix(name, "XDG_") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	t.Setenv("HOME", t.TempDir())
	p := &project{t: t, dir: t.TempDir()}
	t.Chdir(p.dir)
	p.write("go.mod", "module example.com/x\n")
	return p
}

func (p *project) write(name, content string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// startModel configures a scripted model.
func (p *project) startModel(script string) {
	p.t.Helper()
	steps, err := llmtest.ParseScript([]byte(script))
	if err != nil {
		p.t.Fatal(err)
	}
	model, err := llmtest.Start("127.0.0.1:0", steps...)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { model.Close() })
	p.t.Setenv("AURORA_LLM_BASE_URL", model.URL)
	p.t.Setenv("AURORA_LLM_MODEL", "scripted")
	p.t.Setenv("AURORA_LLM_PRICES", "scripted=1/4")
}

// An outcome is what a command left behind.
type outcome struct {
	out, err string
	code     int
}

func (o outcome) String() string { return fmt.Sprintf("exit %d\n%s%s", o.code, o.out, o.err) }

func (p *project) run(args ...string) outcome {
	var out, err bytes.Buffer
	code := newProgram(&out, &err).run(p.t.Context(), args)
	return outcome{out.String(), err.String(), code}
}

// figures are what differs from run to run.
var figures = regexp.MustCompile(`\d+\.\d+`)

// TestSearch scores a set, saves the run and compares with it.
func TestSearch(t *testing.T) {
	p := newProject(t)
	p.write("cart/cart.go", "// Package cart holds what a customer wants to buy.\npackage cart\n\n// AddItem puts one thing into the cart.\nfunc AddItem(name string) {}\n\n// Checkout pays for everything.\nfunc Checkout() int { return 0 }\n")
	p.write("sets/a.jsonl", `{"id": "add", "query": "AddItem", "category": "name", "language": "go", "relevant": [{"path": "cart/cart.go", "name": "AddItem"}]}
{"id": "pay", "query": "how does a customer pay", "category": "prose", "language": "go", "relevant": ["cart/cart.go"]}
{"id": "none", "query": "penguins of antarctica", "category": "none"}
`)
	p.write("sets/bad.jsonl", `{"query": "no id"}`)
	const table = `Queries        | n | NDCG@10 | MRR@10 | P@5   | R@1   | R@5   | R@10  | R 500t | R 1000t | R 2000t
all            | 2 | #       | #      | #     | #     | #     | #     | #      | #       | #
category name  | 1 | #       | #      | #     | #     | #     | #     | #      | #       | #
category prose | 1 | #       | #      | #     | #     | #     | #     | #      | #       | #
language go    | 2 | #       | #      | #     | #     | #     | #     | #      | #       | #

Rightly no hit: 1 of 1; wrongly: 0
Latency: p50 # ms, p95 # ms
`
	check := func(o outcome, want string) {
		t.Helper()
		cells := regexp.MustCompile(` +\|`)
		squeeze := func(s string) string { return cells.ReplaceAllString(figures.ReplaceAllString(s, "#"), " |") }
		if o.code != exitOK || squeeze(o.out) != squeeze(want) {
			t.Errorf("%s\nwant\n%s", o, want)
		}
	}
	check(p.run("search", "--queries", "sets/a.jsonl", "--reference"), strings.Replace(table, "category name", "reference, FTS5 | 2 | # | # | # | # | # | # | # | # | #\ncategory name", 1))
	check(p.run("search", "--queries", "sets/a.jsonl", "--save", "run.json"), table)
	check(p.run("search", "--queries", "sets/a.jsonl", "--diff", "run.json"), table+"\nAgainst the saved run: 1.0000 before, 1.0000 now, over 3 queries; 0 better, 0 worse\n")
	p.write("weights.json", `{"weights": {"words": 1}, "left_out": [{"set": "all", "measure": "NDCG@10", "queries": 7, "before": 0.5, "fitted": 0.75}]}`)
	check(p.run("left-out", "weights.json"), "Left out | n | Measure | before | fitted\nall | 7 | NDCG@10 | # | #\n")
	p.write("old.json", `{"weights": {"words": 1}}`)
	p.write("broken.json", "{")
	for args, want := range map[string]outcome{
		"left-out old.json":                {err: "aurora-train writes them with -o", code: exitNothing},
		"left-out broken.json":             {err: "read weights broken.json", code: exitFailed},
		"left-out none.json":               {err: "none.json", code: exitFailed},
		"search":                           {err: "needs --queries", code: exitUsage},
		"context":                          {err: "needs --queries", code: exitUsage},
		"answers":                          {err: "needs --questions", code: exitUsage},
		"search --no-such-flag":            {err: "unknown flag", code: exitUsage},
		"search --queries sets/none.jsonl": {err: "sets/none.jsonl", code: exitFailed},
		"search --queries sets/bad.jsonl":  {err: "sets/bad.jsonl:1: the line has no id", code: exitFailed},
		"search --queries sets/a.jsonl --diff no.json":    {err: "Make one with --save", code: exitFailed},
		"search --queries sets/a.jsonl --repos nowhere":   {err: "not measured, because it is missing", code: exitNothing},
		"context --queries sets/a.jsonl --budget 0":       {err: "--budget must be at least 1", code: exitUsage},
		"context --queries sets/a.jsonl --save nowhere/x": {err: "Name a file in a folder that exists", code: exitFailed},
		"answers --questions sets/a.jsonl":                {err: "Each line must be JSON such as", code: exitFailed},
		"tokens":                                          {err: "needs --tasks", code: exitUsage},
		"tokens --tasks no-such-file.json":                {err: "no-such-file.json", code: exitFailed},
	} {
		if o := p.run(strings.Fields(args)...); o.code != want.code || !strings.Contains(o.err, want.err) {
			t.Errorf("%s: %s", args, o)
		}
	}
	if o := p.run("context", "--queries", "sets/a.jsonl"); o.code != exitOK || !strings.Contains(o.out, "Recall within") {
		t.Errorf("%s", o)
	}
}
