package git

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

func TestCoChanged(t *testing.T) {
	w := newWorkTree(t)
	for i := range 4 {
		w.write("a.go", fmt.Sprint(i))
		if i < 3 {
			w.write("größe/b.go", fmt.Sprint(i))
		}
		if i == 0 {
			w.write("once.go", "x")
		}
		w.commit(i, "Ada", fmt.Sprint("change ", i))
	}
	w.write("alone.go", "x")
	w.commit(5, "Ada", "alone")
	for i := range coChangeBulk {
		w.write(fmt.Sprintf("bulk/%d.go", i), "x")
	}
	w.write("a.go", "bulk")
	w.write("größe/b.go", "bulk")
	w.commit(6, "Ada", "touch everything")

	r := w.open()
	got, err := r.CoChanged(context.Background(), "a.go")
	if want := []CoChange{{Path: "größe/b.go", Together: 3, Commits: 4}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("CoChanged = %v, %v, want %v", got, err, want)
	}
	for _, rel := range []string{"alone.go", "missing.go"} {
		if got, err := r.CoChanged(context.Background(), rel); err != nil || len(got) != 0 {
			t.Errorf("%s: %v, %v", rel, got, err)
		}
	}
	below := w.openAt("größe")
	if got, err := below.CoChanged(context.Background(), "b.go"); err != nil || len(got) != 0 {
		t.Errorf("below a folder: %v, %v: what lies elsewhere is left out", got, err)
	}
}

func TestCoChangedWithoutCommits(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "x")
	if got, err := w.open().CoChanged(context.Background(), "a.go"); err != nil || got != nil {
		t.Errorf("CoChanged = %v, %v", got, err)
	}
}
