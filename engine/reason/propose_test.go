package reason

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/llm"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
)

// TestProposals holds edits of a model against the workspace: what it may not change is refused, and nothing is written.
func TestProposals(t *testing.T) {
	e := openReasoner(t, nil, time.Now)
	folder := e.opts.Facts.Index.Folders()[0]
	outside := t.TempDir()
	for name, text := range map[string]string{".env": "TOKEN=hidden\n", ".git/config": "[core]\n", "own.txt": "old\n"} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(folder, "link")); err != nil {
		t.Skip(err)
	}
	use := func(q *reasoning, arguments string) soar.Finding {
		t.Helper()
		f, err := q.Use(t.Context(), llm.ToolCall{Name: soar.ToolEdit, Arguments: arguments})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if f := use(e.newReasoning(&Models{}, QueryRequest{}), `{"path":"new.go","find":"","replace":"x"}`); !strings.Contains(f.Text, "nobody has asked") {
		t.Errorf("an edit that nobody asked for: %+v", f)
	}
	q := e.newReasoning(&Models{}, QueryRequest{Changes: true})
	for arguments, want := range map[string]string{
		`{"path":"../a.go","find":"","replace":"x"}`:        "not in the workspace",
		`{"path":"/etc/passwd","find":"","replace":"x"}`:    "not in the workspace",
		`{"path":"..","find":"","replace":"x"}`:             "not in the workspace",
		`{"path":".","find":"","replace":"x"}`:              "not in the workspace",
		`{"path":".git/hooks/x","find":"","replace":"x"}`:   "can't be changed",
		`{"path":".git. /x","find":"","replace":"x"}`:       "can't be changed",
		`{"path":".GIT/config","find":"","replace":"x"}`:    "can't be changed",
		`{"path":".aurora/a.json","find":"","replace":"x"}`: "can't be changed",
		`{"path":".env","find":"hidden","replace":"x"}`:     "can't be changed",
		`{"path":"a/.env","find":"","replace":"x"}`:         "name of a secret",
		`{"path":"link/a.go","find":"","replace":"x"}`:      "leads out of the workspace",
		`{"path":"link/b/a.go","find":"","replace":"x"}`:    "leads out of the workspace",
		`{"path":"absent.go","find":"a","replace":"x"}`:     "no file absent.go",
	} {
		if f := use(q, arguments); !strings.HasPrefix(f.Text, "Error: ") || !strings.Contains(f.Text, want) || f.Outcome != "" {
			t.Errorf("%s: %+v", arguments, f)
		}
	}
	if files := q.proposed.Files(); len(files) != 0 {
		t.Errorf("proposed: %+v", files)
	}
	if f := use(q, `{"path":"deep/new.go","find":"","replace":"package deep\n"}`); f.Outcome != "an edit of deep/new.go" {
		t.Errorf("a new file: %+v", f)
	}
	files := q.proposed.Files()
	if len(files) != 1 || !files[0].Created || files[0].Abs != filepath.Join(folder, "deep", "new.go") || !strings.Contains(files[0].Patch(), "+package deep") {
		t.Errorf("proposed: %+v", files)
	}
	move := func(arguments string) soar.Finding {
		t.Helper()
		f, err := q.Use(t.Context(), llm.ToolCall{Name: soar.ToolMove, Arguments: arguments})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for arguments, want := range map[string]string{
		`{"path":".env","to":""}`:                "can't be read",
		`{"path":"../a.go","to":""}`:             "not in the workspace",
		`{"path":".git/config","to":"x"}`:        "can't be read",
		`{"path":"link","to":""}`:                "can't be read",
		`{"path":"own.txt","to":"../own.txt"}`:   "not in the workspace",
		`{"path":"own.txt","to":".git/hooks/x"}`: "can't be changed",
		`{"path":"own.txt","to":"link/own.txt"}`: "leads out of the workspace",
		`{"path":"own.txt","to":"a/.env"}`:       "name of a secret",
		`{"path":"own.txt","to":"own.txt"}`:      "there is a file own.txt",
		`{"path":"own.txt","to":"deep/new.go"}`:  "choose another name",
	} {
		if f := move(arguments); !strings.HasPrefix(f.Text, "Error: ") || !strings.Contains(f.Text, want) || f.Outcome != "" {
			t.Errorf("%s: %+v", arguments, f)
		}
	}
	if f := move(`{"path":"own.txt","to":"deep/own.txt"}`); f.Outcome != "to move own.txt to deep/own.txt" {
		t.Errorf("a move: %+v", f)
	}
	if f := move(`{"path":"deep/new.go","to":""}`); f.Outcome != "to delete deep/new.go" {
		t.Errorf("a new file deleted: %+v", f)
	}
	if files := q.proposed.Files(); len(files) != 2 || !files[0].Deleted || !strings.Contains(files[0].Patch(), "-old") || files[1].After != "old\n" {
		t.Errorf("proposed: %+v", files)
	}
	changes := proposedTexts(q)
	if len(changes.Removed) != 1 || changes.Removed[0] != filepath.Join(folder, "own.txt") || changes.Texts[filepath.Join(folder, "deep", "own.txt")] != "old\n" {
		t.Errorf("tests see %+v", changes)
	}
	for _, dir := range []string{filepath.Join(folder, "deep"), filepath.Join(outside, "a.go")} {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s was written", dir)
		}
	}
}

func TestInRepository(t *testing.T) {
	base := t.TempDir()
	folder := filepath.Join(base, "services", "shop")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := inRepository(t.Context(), folder); got != "" {
		t.Errorf("without a repository: %q", got)
	}
	if out, err := exec.Command("git", "init", "-q", base).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for in, want := range map[string]string{folder: "services/shop", base: ""} {
		if got := inRepository(t.Context(), in+string(filepath.Separator)); got != want {
			t.Errorf("%s is %q, want %q", in, got, want)
		}
	}
}
