package lsp_test

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/lsp"
	"github.com/aurora-sidecar/aurora/lsp/server"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"golang.org/x/tools/txtar"
)

// A world is a real server over a real index and memory, with nothing in it yet.
type world struct {
	t        testing.TB
	engine   *engine.Engine
	hub      *server.Hub
	memory   *sqlite.Store
	stateDir string
}

func newWorld(t testing.TB) *world { return newWorldWith(t, nil) }

// newWorldWith has models, too, and whatever adjust adds.
func newWorldWith(t testing.TB, models *engine.Models, adjust ...func(*engine.Options)) *world {
	t.Helper()
	ctx := context.Background()
	log := slog.New(slog.DiscardHandler)
	if testing.Verbose() {
		log = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	ix, err := index.Open(ctx, index.Options{StoreDir: filepath.Join(t.TempDir(), "index"), Log: log, Debounce: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.OpenMemory(ctx, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var account *budget.Tracker
	if models != nil {
		account = models.Budget
	}
	options := engine.Options{
		Index: ix, Memory: store, Log: log, Version: "test", ReasonOptions: engine.ReasonOptions{Budget: account, Models: models, Journal: journalOf(models, store)},
	}
	for _, change := range adjust {
		change(&options)
	}
	e := engine.New(options)
	t.Cleanup(func() {
		for _, err := range []error{ix.Shutdown(), e.Close(), store.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	w := &world{t: t, engine: e, memory: store, stateDir: filepath.Join(t.TempDir(), "state")}
	w.hub = server.NewHub(server.Options{
		Engine: e, Log: log, StateDir: w.stateDir, Version: "test",
		HoverBudget: time.Minute, // what a card says must not depend on how busy the machine is
	})
	return w
}

// workspace writes files into a new folder.
func workspace(t testing.TB, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// connect opens an editor on the world. code receives what the process of this client would return.
func (w *world) connect(config lsp.Config) (e *lsp.Editor, code <-chan int) {
	w.t.Helper()
	client, conn := lsp.Pipe(w.t)
	code = w.serve(conn)
	return lsp.Connect(w.t, client, config), code
}

func (w *world) serve(conn io.ReadWriteCloser) <-chan int {
	ctx, cancel := context.WithCancel(context.Background())
	code, done := make(chan int, 1), make(chan struct{})
	go func() {
		defer close(done)
		code <- w.hub.Serve(ctx, conn)
	}()
	w.t.Cleanup(func() { cancel(); <-done })
	return code
}

// open connects an editor to a workspace of its own and waits for the index.
func (w *world) open(archive string) *lsp.Editor {
	w.t.Helper()
	e, _ := w.connect(lsp.Config{Dir: workspace(w.t, archive)})
	e.AwaitReady()
	return e
}

// settle waits until everything that was sent is searchable.
func (w *world) settle() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := w.engine.Index().Flush(ctx); err != nil {
		w.t.Fatal(err)
	}
}
