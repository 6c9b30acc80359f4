package engine

import (
	"context"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/index/git"
)

// settle waits until nothing is collected any more and returns how many versions of files are known.
func (w *testWorkspace) settle() int {
	w.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := w.engine.intel.WaitForSignals(ctx); err != nil {
		w.Fatal(err)
	}
	repo, err := w.engine.intel.Repo(ctx, w.dir)
	if err != nil {
		w.Fatal(err)
	}
	return repo.Collected()
}

// hit searches for one name and returns its hit with what git knows.
func (w *testWorkspace) hitWithGit(name string) Hit {
	w.Helper()
	r := w.search(SearchRequest{Query: name, Git: true, Limit: 1})
	if len(r.Hits) != 1 || r.Hits[0].Git == nil {
		w.Fatalf("%s: %+v", name, r.Hits)
	}
	return r.Hits[0]
}

func TestGitSignals(t *testing.T) {
	w := newWorkspace(t, shop)
	w.git("init", "-q", "-b", "main")
	w.git("add", ".")
	w.git("commit", "-q", "-m", "Open the shop")
	w.write("price/fresh.go", "package price\n\nfunc FreshlyMade() {}\n") // untracked
	w.collect = true
	w.open()
	n := w.settle()
	if n != len(shop) {
		t.Fatalf("%d versions of files are known after the index run, want %d", n, len(shop))
	}
	if g := w.hitWithGit("WithTax").Git; g.Commits != 1 || g.State != "tracked" || g.LastModified.IsZero() {
		t.Errorf("WithTax: %+v", g)
	}
	if g := w.hitWithGit("FreshlyMade").Git; g.Commits != 0 || g.State != "untracked" {
		t.Errorf("FreshlyMade: %+v", g)
	}
	if again := w.settle(); again != n {
		t.Errorf("questions alone had %d versions collected, want %d as before", again, n)
	}

	w.git("add", ".")
	w.git("commit", "-q", "-m", "Add a function")
	if g := w.hitWithGit("FreshlyMade").Git; g.Commits != 1 || g.State != "tracked" {
		t.Errorf("FreshlyMade after the commit: %+v", g)
	}
	if after := w.settle(); after != n+1 {
		t.Errorf("%d versions are known after a commit of one file, want %d", after, n+1)
	}
}

func TestGitSignalsWithoutRepository(t *testing.T) {
	w := newWorkspace(t, shop)
	w.collect = true
	w.open()
	if err := w.engine.intel.WaitForSignals(context.Background()); err != nil {
		t.Fatal(err)
	}
	if g := w.hitWithGit("WithTax").Git; g.State != string(git.Unavailable) || g.Commits != 0 {
		t.Errorf("WithTax: %+v", g)
	}
}
