package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/headless"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// TestHeadless runs an experiment as a person starts it, twice: the first run does not reach the goal, the second goes on
// from its notes and does.
func TestHeadless(t *testing.T) {
	p := newProject(t)
	p.write("go.mod", "module example.com/x\n")
	p.write("a.go", "package x\n\nfunc Alpha() {}\n")
	p.commit()
	if out, err := exec.Command("git", "checkout", "-q", "-b", "headless").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, setting := range [][2]string{{"user.name", "Ada"}, {"user.email", "ada@example.com"}} {
		if out, err := exec.Command("git", "config", setting[0], setting[1]).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	p.write("headless/prompt.md", headless.WithGoal("Alpha has a comment"))
	p.startModel([]byte(`[
		{"task": "headless_step", "times": 1, "json": {"action": "Read Alpha", "operations": [{"op": "read", "path": "a.go"}, {"op": "git", "args": ["push"]}], "next_step": "Write the comment", "goal_achieved": false}},
		{"task": "headless_step", "contains": "func Alpha() {}", "times": 1, "json": {"action": "Write the comment", "operations": [{"op": "replace", "path": "a.go", "find": "func Alpha", "content": "// Alpha does nothing.\nfunc Alpha"}, {"op": "git", "args": ["add", "a.go"]}, {"op": "git", "args": ["commit", "-m", "Say what Alpha does"]}], "next_step": "", "goal_achieved": false}},
		{"task": "goal_check", "contains": "// Alpha does nothing.", "json": {"reached": true, "missing": [], "reasoning": "the comment is there"}}
	]`))
	unlock, err := headless.Lock(t.Context(), p.dir)
	if err != nil {
		t.Fatal(err)
	}
	if o := p.run("aurora", "headless"); o.code != app.ExitFailed || !strings.Contains(o.err, "another headless run works here (process") || !strings.Contains(o.err, "git worktree add") {
		t.Errorf("beside another run: %s", o)
	}
	unlock()
	o := p.run("aurora", "--headless", "--max-iterations=1", "--budget-limit=2.50")
	if o.code != app.ExitFailed || !strings.HasPrefix(o.out, "MAX_ITERATIONS: the goal was not reached in 1 iterations") || !strings.Contains(o.err, "git push is forbidden") {
		t.Fatalf("%s", o)
	}
	o = p.run("aurora", "headless")
	if o.code != app.ExitOK || !strings.HasPrefix(o.out, "GOAL_ACHIEVED: judged: the comment is there (2 iterations, $") {
		t.Fatalf("%s", o)
	}
	notes, err := os.ReadFile(filepath.Join(p.dir, "headless", "scratchpad.md"))
	if err != nil || !strings.Contains(string(notes), "**STATUS:** GOAL_ACHIEVED") || strings.Count(string(notes), "## Iteration") != 2 {
		t.Errorf("%v:\n%s", err, notes)
	}
	if out, err := exec.Command("git", "log", "-1", "--format=%s").Output(); err != nil || strings.TrimSpace(string(out)) != "Say what Alpha does" {
		t.Errorf("%s, %v", out, err)
	}
	if o = p.run("aurora", "headless", "--json"); o.code != app.ExitOK || !strings.Contains(o.out, `"status":"GOAL_ACHIEVED"`) {
		t.Errorf("%s", o)
	}
}
