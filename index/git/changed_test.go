package git

import (
	"testing"
	"time"
)

// TestCommitsAreLoggedOnce: as long as HEAD stays and the same time is asked for, git is not asked again.
func TestCommitsAreLoggedOnce(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "1")
	w.commit(1, "Ada", "one")
	r := w.open()
	since := at(-1)
	changed := func(since time.Time) int {
		t.Helper()
		files, err := r.ChangedFiles(t.Context(), since)
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	if n := changed(since); n != 1 {
		t.Fatalf("%d files changed", n)
	}
	first := &r.recent.commits[0]
	w.write("b.go", "not committed")
	if n := changed(since); n != 2 || &r.recent.commits[0] != first {
		t.Errorf("%d files changed, logged again: %v", n, &r.recent.commits[0] != first)
	}
	w.write("c.go", "2")
	w.commit(2, "Ada", "two")
	if n := changed(since); n != 3 || len(r.recent.commits) != 2 {
		t.Errorf("after a commit: %d files changed in %d commits", n, len(r.recent.commits))
	}
	if n := changed(time.Now().Add(time.Hour)); n != 0 {
		t.Errorf("%d files changed in the future", n)
	}
}
