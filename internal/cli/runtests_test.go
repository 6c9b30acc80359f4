package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/headless"
	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
	"github.com/aurora-sidecar/aurora/internal/trust"
)

// TestAskRunsTests has the built program ask a model that runs a test of a trusted project before it answers.
func TestAskRunsTests(t *testing.T) {
	p := newProject(t)
	p.write("go.mod", "module example.com/shop\n\ngo 1.21\n")
	p.write("cart/cart.go", "package cart\n\n// Total sums up.\nfunc Total(cents ...int) int { return len(cents) }\n")
	p.write("cart/cart_test.go", "package cart\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total(5, 6); got != 11 {\n\t\tt.Errorf(\"Total is %d\", got)\n\t}\n}\n")
	p.commit()
	p.startModel([]byte(`[
		{"task": "direct", "contains": "Total is 2", "reply": "No: the test of Total fails, it got 2 [S1]."},
		{"task": "direct", "reply": "{\"tool\": \"run\", \"arguments\": {\"command\": \"go test ./cart\", \"path\": \".\"}}"}
	]`))
	ask := func() outcome { return p.withModel("ask", "-vv", "does the test of Total pass?") }
	if got := ask(); strings.Contains(got.out, "it got 2") || strings.Contains(got.err, "exit code") {
		t.Errorf("tests of a project that nobody trusts: %s", got)
	}
	home := trust.Open(filepath.Join(p.home, ".aurora"))
	if err := home.Approve(home.Review(p.dir, nil), time.Now()); err != nil {
		t.Fatal(err)
	}
	var sees strings.Builder
	doctor := p.command("aurora", "doctor")
	doctor.Stdout = &sees
	_ = doctor.Run() // what it thinks of the rest is not asked
	if strings.Contains(sees.String(), "sandbox: none") {
		t.Skip(sees.String())
	}
	got := ask()
	if got.code != 0 || !strings.Contains(got.out, "it got 2") || !strings.Contains(got.err, "ran: go test ./cart, exit code 1 after") {
		t.Errorf("%s%s", got, sees.String())
	}
	p.proposesAChange()
	p.headlessWithCheck()
}

// proposesAChange has the model change what its test calls wrong, see the test pass with that, and git apply what it proposes.
func (p *project) proposesAChange() {
	p.t.Helper()
	broken, err := os.ReadFile(filepath.Join(p.dir, "cart", "cart.go"))
	if err != nil {
		p.t.Fatal(err)
	}
	p.model.Reset()
	p.model.Script(
		llmtest.Step{Task: "direct", Contains: "exit code 0 after", Reply: "`Total` sums up now [S1]."},
		llmtest.Step{Task: "direct", Contains: "is taken up", Times: 1, Reply: `{"tool": "run", "arguments": {"command": "go test ./cart", "path": "."}}`},
		llmtest.Step{Task: "direct", Times: 1, Reply: `{"tool": "edit", "arguments": {"path": "cart/cart.go", "find": "return len(cents)", "replace": "sum := 0\n\tfor _, c := range cents {\n\t\tsum += c\n\t}\n\treturn sum"}}`},
	)
	got := p.withModel("ask", "-vv", "--diff", "what must Total return?")
	if got.code != 0 || !strings.HasPrefix(got.out, "diff --git a/cart/cart.go b/cart/cart.go\n") || !strings.Contains(got.err, "sums up now") || !strings.Contains(got.err, "proposed: an edit of cart/cart.go") || strings.Contains(got.err, "No test has passed") {
		p.t.Errorf("a change: %s", got)
	}
	if text, err := os.ReadFile(filepath.Join(p.dir, "cart", "cart.go")); err != nil || string(text) != string(broken) {
		p.t.Errorf("the file was changed: %s, %v", text, err)
	}
	apply := exec.Command("git", "apply")
	apply.Dir, apply.Stdin = p.dir, strings.NewReader(got.out)
	if out, err := apply.CombinedOutput(); err != nil {
		p.t.Fatalf("%v: %s", err, out)
	}
	if out, err := exec.Command("go", "test", "-C", p.dir, "./cart").CombinedOutput(); err != nil {
		p.t.Errorf("with the change: %s", out)
	}
	p.write("cart/cart.go", string(broken))
	p.changesAreChecked()
	p.changesAreMended()
	p.model.Reset()
	p.model.Script(llmtest.Step{Task: "direct", Reply: "`Total` needs no change [S1]."})
	if got := p.withModel("ask", "--diff", "what must Total return now?"); got.out != "" || !strings.Contains(got.err, "The model proposed no change.") {
		p.t.Errorf("no change: %s", got)
	}
	if got := p.command("aurora", "ask", "--diff", "where is Total defined?"); got != nil {
		out, err := got.CombinedOutput()
		if !strings.Contains(string(out), "Without a model no change is proposed.") {
			p.t.Errorf("without a model: %s, %v", out, err)
		}
	}
}

// changesAreChecked has the tests of a proposed change run where the model has not done it.
func (p *project) changesAreChecked() {
	p.t.Helper()
	const command = "go test ./cart -run '^TestTotal$'"
	for _, tt := range []struct{ path, find, replace, looked, warning string }{
		{"cart/cart.go", "return len(cents)", "return cents[0] + cents[1]", "ran: " + command + ", exit code 0 after", ""},
		{"cart/cart.go", "len(cents)", "0", "ran: " + command + ", exit code 1 after", command + " fails with this change in place (exit code 1 after"},
		{"cart/new.go", "", "package cart\n", "proposed: an edit of cart/new.go", "No test has passed with this change in place."},
	} {
		p.model.Reset()
		edit, err := json.Marshal(map[string]any{"tool": "edit", "arguments": map[string]string{"path": tt.path, "find": tt.find, "replace": tt.replace}})
		if err != nil {
			p.t.Fatal(err)
		}
		p.model.Script(llmtest.Step{Task: "direct", Contains: "is taken up", Reply: "`Total` is another one [S1]."}, llmtest.Step{Task: "direct", Reply: string(edit)})
		got := p.withModel("ask", "-vv", "--diff", "what may Total return, "+tt.replace+"?")
		warned := strings.Contains(got.err, "with this change in place")
		if got.code != 0 || !strings.Contains(got.out, "+") || !strings.Contains(got.err, tt.looked) || !strings.Contains(got.err, tt.warning) || warned != (tt.warning != "") {
			p.t.Errorf("%s becomes %s: %s", tt.find, tt.replace, got)
		}
		if strings.Contains(tt.looked, "exit code 1") && !strings.Contains(got.err, "as it does without it") {
			p.t.Errorf("it failed before, too: %s", got)
		}
	}
}

// changesAreMended has a model told, once, of a test that fails with what it proposes.
func (p *project) changesAreMended() {
	p.t.Helper()
	edit := func(find, replace string) string {
		out, err := json.Marshal(map[string]any{"tool": "edit", "arguments": map[string]string{"path": "cart/cart.go", "find": find, "replace": replace}})
		if err != nil {
			p.t.Fatal(err)
		}
		return string(out)
	}
	const told = "propose edits that mend them"
	p.model.Reset()
	p.model.Script(
		llmtest.Step{Task: "direct", Contains: told, Times: 1, Reply: edit("return 0", "return cents[0] + cents[1]")},
		llmtest.Step{Task: "direct", Contains: told, Reply: "`Total` sums both up [S1]."},
		llmtest.Step{Task: "direct", Contains: "is taken up", Reply: "`Total` is nothing [S1]."},
		llmtest.Step{Task: "direct", Reply: edit("return len(cents)", "return 0")},
	)
	got := p.withModel("ask", "-vv", "--diff", "what might Total return?")
	first, second := strings.Index(got.err, "exit code 1 after"), strings.Index(got.err, "exit code 0 after")
	if got.code != 0 || first < 0 || second < first || strings.Contains(got.err, "with this change in place") || !strings.Contains(got.err, "sums both up") || strings.Contains(got.err, "is nothing") {
		p.t.Errorf("a change that was mended: %s", got)
	}
	if !strings.Contains(got.out, "{ return cents[0] + cents[1] }\n") || strings.Contains(got.out, "return 0") {
		p.t.Errorf("the patch: %s", got.out)
	}
}

// headlessWithCheck has unattended work end well only when the check of its prompt passes, whatever the model says before.
func (p *project) headlessWithCheck() {
	p.t.Helper()
	for _, args := range [][]string{{"checkout", "-q", "-b", "headless"}, {"config", "user.name", "Ada"}, {"config", "user.email", "ada@example.com"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			p.t.Fatalf("%v: %s", err, out)
		}
	}
	p.model.Script(
		llmtest.Step{Task: "headless_step", Times: 1, JSON: json.RawMessage(`{"action": "Say that it works", "operations": [], "next_step": "", "goal_achieved": true, "reason": "it works"}`)},
		llmtest.Step{Task: "headless_step", Contains: "Total is 2", JSON: json.RawMessage(`{"action": "Sum up", "operations": [{"op": "replace", "path": "cart/cart.go", "find": "return len(cents)", "content": "return cents[0] + cents[1]"}], "next_step": "", "goal_achieved": true, "reason": "it sums up"}`)},
	)
	for check, want := range map[string]string{"go test ./cart": "GOAL_ACHIEVED: it sums up; go test ./cart passes (2 iterations", "go run ./cart": ""} {
		p.write("headless/prompt.md", strings.Replace(headless.WithGoal("Total sums up"), "BUDGET_LIMIT: $5.00", "CHECK: "+check, 1))
		if err := os.RemoveAll(filepath.Join(p.dir, "headless", "scratchpad.md")); err != nil {
			p.t.Fatal(err)
		}
		if got := p.withModel("headless"); (got.code == 0) != (want != "") || !strings.Contains(got.out, want) || want == "" && !strings.Contains(got.err, "The check of the prompt can't be run") {
			p.t.Errorf("%s: %s", check, got)
		}
	}
}

// withModel runs a command of the built binary with the model of the project.
func (p *project) withModel(args ...string) outcome {
	p.t.Helper()
	var out, stderr strings.Builder
	cmd := p.command("aurora", args...)
	cmd.Stdout, cmd.Stderr = &out, &stderr
	for _, name := range []string{"AURORA_LLM_BASE_URL", "AURORA_LLM_MODEL", "AURORA_LLM_PRICES"} {
		cmd.Env = append(cmd.Env, name+"="+os.Getenv(name))
	}
	code := exitCode(cmd.Run())
	return outcome{out.String(), stderr.String(), code}
}
