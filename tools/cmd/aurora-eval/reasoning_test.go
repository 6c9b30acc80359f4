package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

const twoQuestions = `{"id": "where", "kind": "fact", "question": "What is Alpha?", "has": ["a.go:4"]}
{"id": "wrong", "kind": "fact", "question": "What is Beta?", "has": ["nothing in the program says this"]}
`

// TestReasoning has a scripted model asked in every way.
func TestReasoning(t *testing.T) {
	p := newProject(t)
	p.write("go.mod", "module example.com/x\n")
	p.write("a.go", "package x\n\n// Alpha is the first.\nfunc Alpha() { Beta() }\n\n// Beta is the second.\nfunc Beta() {}\n")
	p.write("q.jsonl", twoQuestions)
	if o := p.run("reasoning", "--questions", "q.jsonl"); o.code != exitFailed || !strings.Contains(o.err, "needs a model") {
		t.Fatalf("without a model: %s", o)
	}
	p.startModel(`[]`)
	o := p.run("reasoning", "--questions", "q.jsonl", "--save", "run.json", "--json")
	var got struct {
		Model string
		Ways  []wayResult
	}
	if err := json.Unmarshal([]byte(o.out), &got); err != nil || o.code != exitOK {
		t.Fatalf("%v: %s", err, o)
	}
	if got.Model != "scripted" || len(got.Ways) != 4 {
		t.Fatalf("%+v", got)
	}
	for _, w := range got.Ways {
		if w.Accuracy.Right != 1 || w.Accuracy.Asked != 2 || w.Caught.Asked != 1 {
			t.Errorf("%s: %+v", w.Way, w)
		}
		if paid := w.USD > 0 && w.Calls > 0 && w.Tokens > 0; paid == (w.Way == "index") {
			t.Errorf("%s: cost %v for %d calls", w.Way, w.USD, w.Calls)
		}
	}
	direct, soar := got.Ways[1], got.Ways[2]
	if direct.Calls >= soar.Calls {
		t.Errorf("direct takes %d calls, soar %d", direct.Calls, soar.Calls)
	}
	if unverified := got.Ways[3]; unverified.Calls >= soar.Calls {
		t.Errorf("without verification %d calls, with it %d", unverified.Calls, soar.Calls)
	}
	if _, err := os.Stat(p.dir + "/run.json"); err != nil {
		t.Error(err)
	}
	store, err := sqlite.Open(t.Context(), filepath.Join(os.Getenv("HOME"), ".aurora", "memory.db"), sqlite.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.Records(t.Context(), func(h memory.Hit) error { return fmt.Errorf("%s was remembered", h.ID) }); err != nil {
		t.Error(err)
	}
	if o := p.run("reasoning", "--questions", "q.jsonl", "--ways", "direct"); o.code != exitOK || !strings.Contains(o.out, "direct | 1/2") {
		t.Errorf("as a table: %s", o)
	}
	if o := p.run("reasoning", "--questions", "q.jsonl", "--limit-usd", "0.0000001"); o.code == exitOK || !strings.Contains(o.err, "stopped before the end") {
		t.Errorf("without money: %s", o)
	}
	for args, says := range map[string]string{"--ways magic": `unknown way "magic"`, "--limit-usd -1": "must not be negative"} {
		if o := p.run(append([]string{"reasoning", "--questions", "q.jsonl"}, strings.Fields(args)...)...); o.code != exitUsage || !strings.Contains(o.err, says) {
			t.Errorf("%s: %s", args, o)
		}
	}
	p.write("bad.jsonl", `{"id": "x", "kind": "fact", "question": "?"}`)
	if o := p.run("reasoning", "--questions", "bad.jsonl"); o.code != exitFailed || !strings.Contains(o.err, "nothing is asked") {
		t.Errorf("%s", o)
	}
}

func TestReasoningStopsWhenTheModelIsAway(t *testing.T) {
	p := newProject(t)
	p.write("go.mod", "module example.com/x\n")
	p.write("a.go", "package x\n\nfunc Alpha() {}\n")
	p.write("q.jsonl", twoQuestions)
	p.startModel(`[{"fault": "401"}]`)
	if o := p.run("reasoning", "--questions", "q.jsonl", "--ways", "direct,soar"); o.code == exitOK || !strings.Contains(o.err, "stopped before the end") || !strings.Contains(o.err, "401") {
		t.Errorf("%s", o)
	}
}
