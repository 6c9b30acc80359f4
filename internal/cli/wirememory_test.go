package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

// TestLifespanPoliciesOverride goes from the policies in the program to those of the flag: each step wins over the ones
// before, decides how a record decays when it is recalled, and counts for the very next command.
func TestLifespanPoliciesOverride(t *testing.T) {
	p := newProject(t)
	p.write("chunk.jsonl", `{"id":"reas:run","type":"reasoning","content":{"pattern":"p","original_query":"how are pears sorted","success_score":0.6},`+
		`"metadata":{"timestamp":"2025-12-12T14:20:00Z"}}`)
	if got := p.run("aurora", "memory", "import", "chunk.jsonl"); got.code != 0 {
		t.Fatal(got)
	}
	policies := func(name, decay string) string {
		path := filepath.Join(p.home, name+".json")
		text := fmt.Sprintf(`{"policies": {%q: {"condition": "score > 0.1", "lifespan": "indefinite", "decay_mechanism": %q}}}`, name, decay)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	setting := func(file string) string {
		return fmt.Sprintf(`{"memory": {"lifespan_policies": {"file": %q}}}`, file)
	}
	expect := func(policy, decay string, flags ...string) {
		t.Helper()
		got := p.run(append([]string{"aurora", "mem", "show", "reas:run"}, flags...)...)
		if got.code != 0 || !strings.Contains(got.out, ", policy "+policy+" (") || !strings.Contains(got.out, decay+"\n") {
			t.Errorf("want policy %s and %q: %s", policy, decay, got)
		}
	}
	expect("inactive", " - decay 2.15")

	if err := os.MkdirAll(filepath.Join(p.home, ".aurora"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.home, ".aurora", "config.json"), []byte(setting(policies("global", "logarithmic"))), 0o600); err != nil {
		t.Fatal(err)
	}
	expect("global", " - decay 0.98")
	p.write(".aurora/config.json", setting(policies("project", "none")))
	expect("project", "base level -7.95")
	t.Setenv(workspace.PoliciesVariable, policies("variable", "exponential"))
	expect("variable", " - decay 2.15")
	flag := policies("flag", "logarithmic")
	expect("flag", " - decay 0.98", "--lifespan-policies", flag)
	policies("flag", "none") // the file is edited
	expect("flag", "base level -7.95", "--lifespan-policies", flag)
}
