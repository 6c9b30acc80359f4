//go:build unix

package agents

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// TestExampleAgents runs what examples/agents shows people, as they would use it: the registry file in a home folder,
// the Markdown file of another tool beside it.
func TestExampleAgents(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs programs in Python, one after the other")
	}
	for _, program := range []string{"python3", "git"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	w := newWorld(t)
	for from, to := range map[string]string{
		"agents.json": ".aurora/agents.json", "todo_finder.py": ".aurora/todo_finder.py", "careful-reviewer.md": ".claude/agents/careful-reviewer.md",
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", "examples", "agents", from))
		if err != nil {
			t.Fatal(err)
		}
		w.write(filepath.Join(w.home, to), string(text), 0o755)
	}
	var many strings.Builder
	for i := range 12 {
		fmt.Fprintf(&many, "// TODO: rounding %d\n", i)
	}
	w.project("pay.go", "package shop\n\n// TODO: retry when the gateway is away\nfunc Pay() {}\n"+many.String()+"// FIXME: rounding of prices\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}} {
		if out, err := exec.Command("git", append([]string{"-C", w.folder}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	l := w.list()
	if ids(l) != "todo-finder careful-reviewer" || len(l.Problems) != 0 {
		t.Fatalf("%s, %v", ids(l), l.Problems)
	}
	finder, _ := l.Get("todo-finder")
	run := func(work string, ask soar.Asker) *soar.Envelope {
		e, err := w.Agent(*finder, []string{w.folder}).Run(t.Context(), soar.Task{Subgoal: soar.Subgoal{ID: "SG1", Description: work}, Step: 1, Steps: 1, Ask: ask})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := run("Which comments are there about the gateway?", nil)
	if !strings.Contains(e.Output.Summary, "pay.go:3 [A1]") || len(e.Places) != 1 || e.Places[0] != (soar.Place{Path: "pay.go", Line: 3}) || e.Metadata.ToolsUsed[0] != "git grep" {
		t.Errorf("%+v", e)
	}
	var asked soar.Question
	e = run("rounding", func(_ context.Context, q soar.Question) (string, bool, error) { asked = q; return "FIXME", true, nil })
	if asked.Text != "There are 13 comments. Which ones?" || len(asked.Choices) != 3 || len(e.Places) != 1 || len(e.Interactions) != 1 {
		t.Errorf("asked %+v, answered %+v", asked, e)
	}
	if e = run("elephants", nil); !strings.Contains(e.Output.Summary, "None of 14") {
		t.Errorf("%+v", e)
	}
	if persona, _ := l.Get("careful-reviewer"); persona.Type != Builtin || !strings.Contains(persona.Instructions, "careful reviewer") || len(persona.Domains) != 3 {
		t.Errorf("%+v", persona)
	}
}
