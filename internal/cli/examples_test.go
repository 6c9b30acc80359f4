//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// example runs a program of examples in p as a person would.
func (p *project) example(name string, args ...string) (out string, code int) {
	p.t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		p.t.Skip(err)
	}
	aurora := p.command("aurora") // builds it
	p.t.Cleanup(func() { p.binary("daemon", "stop", "--all") })
	cmd := exec.Command(filepath.Join(testDir, "..", "..", "examples", filepath.FromSlash(name)), args...)
	cmd.Dir, cmd.Env = aurora.Dir, append(aurora.Env, "AURORA_BIN="+aurora.Path, "NVIM_BIN="+os.Getenv("NVIM_BIN"))
	text, err := cmd.CombinedOutput()
	return string(text), exitCode(err)
}

// TestExampleBriefing runs what reviewers and pipelines would.
func TestExampleBriefing(t *testing.T) {
	p := newProject(t)
	p.write("net/retry.go", "package net\n\n// Retry bounds attempts.\nfunc Retry(n int) int {\n\treturn min(n, 5)\n}\n\nfunc use() int { return Retry(9) }\n")
	p.write("net/retry_test.go", "package net\n\nimport \"testing\"\n\nfunc TestRetry(t *testing.T) {\n\tif Retry(9) != 5 {\n\t\tt.Fail()\n\t}\n}\n")
	p.commit()
	if got := p.run("aurora", "mem", "remember", "Five attempts: the gateway locks after six", "--source", "net/retry.go:4"); got.code != app.ExitOK {
		t.Fatal(got)
	}
	if out, code := p.example("standalone/briefing.py", "HEAD"); code != 0 || !strings.Contains(out, "Nothing that is called or tested") {
		t.Errorf("without a change: %d: %s", code, out)
	}
	p.write("net/retry.go", "package net\n\n// Retry bounds attempts.\nfunc Retry(n int) int {\n\treturn min(n*2, 7)\n}\n\nfunc use() int { return Retry(9) }\n")
	out, code := p.example("standalone/briefing.py", "HEAD")
	for _, want := range []string{"net/retry.go:Retry", "caller  net/retry.go:8 use", "test    net/retry_test.go:5 TestRetry", "Five attempts: the gateway locks after six (stale"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q", want)
		}
	}
	if code != 3 {
		t.Errorf("exit status %d", code)
	}
	if t.Failed() {
		t.Log(out)
	}
	if out, code := p.example("standalone/briefing.py", "no-such-branch"); code != 1 || !strings.Contains(out, "briefing: git diff") || strings.Contains(out, "Traceback") {
		t.Errorf("a base that is not there: %d: %s", code, out)
	}
}

// TestExampleAgent runs the agent of examples against the program.
func TestExampleAgent(t *testing.T) {
	p := newProject(t)
	p.write("retry.go", "package retry\n\n// Backoff waits longer after every failure.\nfunc Backoff(attempt int) int { return 1 << attempt }\n\nfunc use() int { return Backoff(2) }\n")
	out, code := p.example("agent-integration/agent.py", "wait longer after a failure")
	for _, want := range []string{"Connected to aurora", "Found retry.go: Backoff", "Its callers: 1", "Remembered about it: 0", "Remembered as know:"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q", want)
		}
	}
	if code != 0 || t.Failed() {
		t.Errorf("%d: %s", code, out)
	}
	// The next session recalls it.
	if out, code = p.example("agent-integration/agent.py", "wait longer after a failure"); code != 0 || !strings.Contains(out, "Remembered about it: 1") {
		t.Errorf("the second time: %d: %s", code, out)
	}
	if out, code = p.example("agent-integration/agent.py", "zxcv qwrtp blarg"); code != 3 || !strings.Contains(out, "Nothing here answers that.") {
		t.Errorf("nonsense: %d: %s", code, out)
	}
	if out, code = p.example("agent-integration/agent.py"); code != 2 || !strings.Contains(out, "Run it in the folder of a project") {
		t.Errorf("without a task: %d: %s", code, out)
	}
}
