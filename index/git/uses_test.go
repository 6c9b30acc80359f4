package git

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// TestUsesOf holds what counts as a use, what is kept of many, and how often files were changed together.
func TestUsesOf(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n) }
	bulk := Commit{Time: day(100)}
	for i := range useBulk + 1 {
		bulk.Files = append(bulk.Files, FileChange{fmt.Sprint("bulk", i), Modified})
	}
	commits := []Commit{bulk}
	for n := 40; n > 0; n-- {
		c := Commit{Time: day(n), Files: []FileChange{{"a", Modified}}}
		if n%4 == 0 {
			c.Files = append(c.Files, FileChange{"b", Modified})
		}
		commits = append(commits, c)
	}
	uses := UsesOf("head", commits)
	a, b := uses.Files["a"], uses.Files["b"]
	switch {
	case uses.Head != "head" || !uses.At.Equal(day(100)):
		t.Errorf("of %s, %s", uses.Head, uses.At)
	case len(uses.Files) != 2:
		t.Errorf("a commit of %d files counts: %v", useBulk+1, uses.Files)
	case a.Commits != 40 || len(a.Recent) != useRecent || !a.Recent[0].Equal(day(40)) || !a.First.Equal(day(1)):
		t.Errorf("a: %+v", a)
	case len(a.With) != 1 || a.With[0] != UsedWith{"b", 0.25} || b.With[0] != UsedWith{"a", 1}:
		t.Errorf("a with %v, b with %v", a.With, b.With)
	}
}

// TestReadUses holds that the history is read once for each HEAD, and that nothing is known before.
func TestReadUses(t *testing.T) {
	ctx := context.Background()
	w := newWorkTree(t)
	r := w.open()
	if uses, err := ReadUses(ctx, r); uses != nil || err != nil {
		t.Errorf("before the first commit: %v, %v", uses, err)
	}
	w.write("a.go", "1")
	w.commit(0, "Ada", "one")
	if KnownUses(r) != nil {
		t.Error("known before it was read")
	}
	first, err := ReadUses(ctx, r)
	if err != nil || first.Files["a.go"].Commits != 1 || KnownUses(r) != first {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, _ := ReadUses(ctx, r); again != first {
		t.Error("read again at the same HEAD")
	}
	w.write("a.go", "2")
	w.commit(1, "Ada", "two")
	if second, err := ReadUses(ctx, r); err != nil || second.Files["a.go"].Commits != 2 {
		t.Errorf("after another commit %+v, %v", second, err)
	}
	if err := r.Collect(ctx, nil); err != nil || KnownUses(r).Files["a.go"].Commits != 2 {
		t.Errorf("read ahead: %+v, %v", KnownUses(r), err)
	}
}
