package soak

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"testing"

	"github.com/aurora-sidecar/aurora/engine/llm/llmtest"
)

// newWorld clones this repository, gives it another branch in which much differs, and configures a scripted model.
func newWorld(t *testing.T) *world {
	t.Helper()
	if testing.Short() {
		t.Skip("takes minutes")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	base := t.TempDir()
	w := &world{T: t, dir: filepath.Join(base, "project"), home: filepath.Join(base, "home"), stop: make(chan struct{}), counts: map[string]int{}}
	w.program = os.Getenv("AURORA_BIN")
	if w.program == "" {
		w.program = filepath.Join(root, "bin/aurora")
	}
	if _, err := os.Stat(w.program); err != nil {
		t.Skipf("%v: make build", err)
	}
	w.must(exec.Command("git", "clone", "-q", "--depth", "100", "file://"+root, w.dir))
	for _, args := range [][]string{{"config", "user.name", "A Tester"}, {"config", "user.email", "tester@example.org"}, {"checkout", "-q", "-B", "main"}} {
		if err := w.git(args...); err != nil {
			t.Fatal(err)
		}
	}
	w.list()
	w.otherBranch()
	w.configure()
	t.Cleanup(func() {
		cmd := w.command("daemon", "stop")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("daemon stop: %v: %s", err, out)
		}
	})
	return w
}

func (w *world) must(cmd *exec.Cmd) []byte {
	w.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		w.Fatalf("%v: %v: %s", cmd.Args, err, &stderr)
	}
	return out
}

// command is the program in the project, with a home of its own.
func (w *world) command(args ...string) *exec.Cmd {
	cmd := exec.Command(w.program, args...)
	cmd.Dir, cmd.Env = w.dir, append(os.Environ(), "AURORA_HOME="+w.home)
	return cmd
}

// list names the files of the project that are edited.
func (w *world) list() {
	w.Helper()
	cmd := exec.Command("git", "ls-files", "*.go", "*.ts", "*.lua", "*.md")
	cmd.Dir = w.dir
	w.files = strings.Fields(string(w.must(cmd)))
	if len(w.files) < 100 {
		w.Fatalf("the project has %d files", len(w.files))
	}
}

// otherBranch changes every tenth file, and leaves a tenth of those out.
func (w *world) otherBranch() {
	w.Helper()
	fail := func(err error) {
		if err != nil {
			w.Fatal(err)
		}
	}
	fail(w.git("checkout", "-q", "-b", "other"))
	for i, name := range w.files {
		path := filepath.Join(w.dir, name)
		switch {
		case i%100 == 0:
			fail(os.Remove(path))
		case i%10 == 0:
			text, err := os.ReadFile(path)
			fail(err)
			fail(os.WriteFile(path, bytes.ReplaceAll(text, []byte("return nil"), []byte("return errElsewhere")), 0o644))
		}
	}
	fail(w.git("commit", "-q", "-a", "-m", "Errors are named"))
	fail(w.git("checkout", "-q", "main"))
}

func (w *world) configure() {
	w.Helper()
	model, err := llmtest.Start("127.0.0.1:0")
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { model.Close() })
	settings, err := json.Marshal(map[string]any{"llm": map[string]any{"provider": "vllm", "base_url": model.URL, "model": "scripted"}})
	if err != nil {
		w.Fatal(err)
	}
	if err := os.MkdirAll(w.home, 0o700); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.home, "config.json"), settings, 0o600); err != nil {
		w.Fatal(err)
	}
}
