package engine

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/enginetest"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"github.com/aurora-sidecar/aurora/memory/sqlite/sqlitetest"
)

var shop = enginetest.Shop

// A testWorkspace is an engine over real files, a real repository and a real store.
type testWorkspace struct {
	*testing.T
	dir    string
	engine *Engine
	index  *index.Index
	clock  time.Time // of the last commit

	collect bool // git's history is read ahead

	embedder *embed.Static // nil for none
}

// openWorkspace writes files, commits them, and waits until they are indexed.
func openWorkspace(t *testing.T, files map[string]string) *testWorkspace {
	t.Helper()
	w := newWorkspace(t, files)
	w.git("init", "-q", "-b", "main")
	w.git("add", ".")
	w.git("commit", "-q", "-m", "Open the shop")
	w.open()
	return w
}

func newWorkspace(t *testing.T, files map[string]string) *testWorkspace {
	t.Helper()
	home := t.TempDir()
	for _, key := range []string{"HOME", "XDG_CONFIG_HOME", "AURORA_HOME"} {
		t.Setenv(key, home)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &testWorkspace{T: t, dir: dir}
	for name, text := range files {
		w.write(name, text)
	}
	return w
}

func (w *testWorkspace) write(name, text string) {
	w.Helper()
	path := w.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.Fatal(err)
	}
}

func (w *testWorkspace) path(name string) string {
	return filepath.Join(w.dir, filepath.FromSlash(name))
}

// git runs git with one author; every run is a minute after the one before, the first an hour ago.
func (w *testWorkspace) git(args ...string) {
	w.Helper()
	if w.clock.IsZero() {
		w.clock = time.Now().Add(-time.Hour)
	}
	w.clock = w.clock.Add(time.Minute)
	date := w.clock.Format(time.RFC3339)
	cmd := exec.Command("git", args...)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com",
		"GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (w *testWorkspace) open() {
	w.Helper()
	ctx := context.Background()
	idx, err := index.Open(ctx, index.Options{Folders: []string{w.dir}, NoWatch: true, Embedder: w.embedder})
	if err != nil {
		w.Fatal(err)
	}
	store := sqlitetest.Open(w.T, sqlite.Options{})
	w.index = idx
	w.engine = New(Options{Index: idx, Memory: store, Log: slog.New(slog.DiscardHandler), Version: "test", CollectGit: w.collect, hoverWait: time.Minute}) // tests see whole cards, however busy the machine
	w.Cleanup(func() {
		if err := w.engine.Close(); err != nil {
			w.Errorf("close engine: %v", err)
		}
		if err := idx.Shutdown(); err != nil {
			w.Errorf("shut index down: %v", err)
		}
		if err := store.Close(); err != nil {
			w.Errorf("close store: %v", err)
		}
	})
	w.wait()
}

// rewire changes the options of the engine, once what is written behind answers has been written.
func (w *testWorkspace) rewire(change func(*Options)) {
	w.engine.reasoner.Close()
	change(&w.engine.opts)
	w.engine.wire()
}

// wait waits until everything written or edited is indexed.
func (w *testWorkspace) wait() {
	w.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := w.index.WaitReady(ctx); err != nil {
		w.Fatal(err)
	}
	if err := w.index.Flush(ctx); err != nil {
		w.Fatal(err)
	}
}

func (w *testWorkspace) search(r SearchRequest) *SearchResult {
	w.Helper()
	result, err := w.engine.Search(context.Background(), r)
	if err != nil {
		w.Fatalf("search %+v: %v", r, err)
	}
	return result
}

// offset returns the byte offset of the | in the first occurrence of marked, with the | left out, in a file.
func (w *testWorkspace) offset(name, marked string) Place {
	w.Helper()
	text, err := w.index.Text(w.path(name))
	if err != nil {
		w.Fatal(err)
	}
	before, after, _ := strings.Cut(marked, "|")
	at := strings.Index(string(text), before+after)
	if at < 0 {
		w.Fatalf("%s does not hold %q", name, before+after)
	}
	return Place{Path: w.path(name), Offset: at + len(before)}
}

// selection returns the stretch of a file that text covers.
func (w *testWorkspace) selection(name, text string) Selection {
	w.Helper()
	p := w.offset(name, "|"+text)
	return Selection{Path: p.Path, Start: p.Offset, End: p.Offset + len(text)}
}

// names lists qualified names with their paths, for comparing.
func names(hits []Hit) []string {
	var out []string
	for _, h := range hits {
		if h.Path == "" {
			out = append(out, h.Source+":"+h.Name)
			continue
		}
		out = append(out, h.Path+":"+snippet.Qualified(h))
	}
	return out
}
