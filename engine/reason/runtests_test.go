package reason

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/engine/testrun"
	"github.com/aurora-sidecar/aurora/internal/sandbox"
)

// TestMain makes this test the program that becomes a sandboxed one.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == sandbox.Argument {
		fmt.Fprintln(os.Stderr, sandbox.Enter())
		os.Exit(1)
	}
	os.Exit(m.Run())
}

const cartTest = `package cart

import (
	"fmt"
	"os"
	"testing"
)

func TestPasses(t *testing.T) {
	secret, _ := os.ReadFile("../.env")
	fmt.Printf("%d bytes of .env, ghp_%s\n", len(secret), "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
	if err := os.WriteFile("written", nil, 0o600); err != nil {
		t.Skip(err)
	}
}

func TestFails(t *testing.T) { t.Fatal("the cart is broken") }
`

// TestModelsRunTests has commands of a model run in a real module, and refused where they may not be.
func TestModelsRunTests(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a module")
	}
	e := openReasoner(t, nil, time.Now)
	folder := e.opts.Facts.Index.Folders()[0]
	for name, text := range map[string]string{".env": "TOKEN=hidden-from-models\n", "cart/run_test.go": cartTest} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trusted := false
	e.opts.Tests = testrun.New(func(string) bool { return trusted }, sandbox.New(t.TempDir(), "/proc/self/exe"))
	q := e.newReasoning(&Models{}, QueryRequest{})
	use := func(arguments string) soar.Finding {
		t.Helper()
		f, err := q.Use(t.Context(), llm.ToolCall{Name: soar.ToolRun, Arguments: arguments})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if o, err := q.options(t.Context()); err != nil || o.RunsTests {
		t.Errorf("offered in a folder that nobody trusts: %v", err)
	}
	if f := use(`{"command":"go test ./cart"}`); !strings.Contains(f.Text, "not trusted") || f.Outcome != "" {
		t.Errorf("run in a folder that nobody trusts: %+v", f)
	}
	trusted = true
	if err := e.opts.Tests.May(folder); err != nil {
		t.Skip(err)
	}
	if o, err := q.options(t.Context()); err != nil || !o.RunsTests {
		t.Errorf("not offered in a trusted folder: %v", err)
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	for arguments, want := range map[string][]string{
		`{"command":"go test -v -count=1 -run TestPasses ./cart","path":"."}`: {"exit code 0 after", "--- PASS: TestPasses", "0 bytes of .env", "[REDACTED"},
		`{"command":"go test -count=1 .","path":"cart"}`:                      {"exit code 1 after", "the cart is broken"},
		`{"command":"go run .","path":"."}`:                                   {"Error: ", "may not be run"},
		`{"command":"go test .","path":"../.."}`:                              {"Error: ", "not in the workspace"},
		`{"command":"go test .","path":"nowhere"}`:                            {"Error: ", "no folder nowhere"},
	} {
		f := use(arguments)
		for _, w := range want {
			if !strings.Contains(f.Text, w) {
				t.Errorf("%s lacks %q: %s", arguments, w, f.Text)
			}
		}
		if ran := strings.HasPrefix(want[0], "exit"); ran != strings.Contains(f.Outcome, ", exit code") || strings.Contains(f.Text, "ghp_a1B2") || strings.Contains(f.Text, "hidden-from-models") {
			t.Errorf("%s: %+v", arguments, f)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "cart", "written")); err == nil {
		t.Error("what a test wrote stayed")
	}
}
