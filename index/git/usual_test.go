package git

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// TestCompanionsByFile holds the counts of all files at once against those of each file alone.
func TestCompanionsByFile(t *testing.T) {
	var commits []Commit
	for i := range 60 {
		c := Commit{Files: []FileChange{{"a", Modified}}}
		if i%7 != 0 {
			c.Files = append(c.Files, FileChange{"b", Modified})
		}
		if i%10 == 0 {
			c.Files = append(c.Files, FileChange{"c", Modified}, FileChange{"gone", Modified}, FileChange{fmt.Sprint("rare", i), Added})
		}
		commits = append(commits, c)
	}
	bulk := Commit{Files: []FileChange{{"gone", Deleted}}}
	for i := range coChangeBulk {
		bulk.Files = append(bulk.Files, FileChange{fmt.Sprint("bulk", i), Modified})
	}
	commits = slices.Insert(commits, 0, bulk)
	got := CompanionsByFile(commits)
	for _, path := range []string{"a", "b", "c", "gone", "rare0", "bulk1"} {
		if want := CompanionsIn(commits, []string{path}, CompanionSupport, CompanionConfidence); !reflect.DeepEqual(got[path], want) {
			t.Errorf("%s: %+v, want %+v", path, got[path], want)
		}
	}
	if len(got["a"]) != 1 || len(got["c"]) != 1 {
		t.Errorf("of a %+v, of c %+v", got["a"], got["c"])
	}
}

func TestUsuallyWith(t *testing.T) {
	ctx := context.Background()
	w := newWorkTree(t)
	for i := range 6 {
		w.write("a.go", fmt.Sprint(i))
		w.write("b.go", fmt.Sprint(i))
		w.commit(i, "Ada", fmt.Sprint("change ", i))
	}
	r := w.open()
	if got := UsuallyWith(r, "a.go"); got != nil {
		t.Errorf("before anything was collected: %+v", got)
	}
	want := []Companion{{CoChange{Path: "b.go", Together: 6, Commits: 6}, "a.go"}}
	if err := r.Collect(ctx, nil); err != nil || !slices.Equal(UsuallyWith(r, "a.go"), want) {
		t.Errorf("%+v, %v, want %+v", UsuallyWith(r, "a.go"), err, want)
	}
	w.git("checkout", "-q", "--detach", "HEAD~2")
	if err := r.Collect(ctx, nil); err != nil || UsuallyWith(r, "a.go") != nil {
		t.Errorf("at a commit with four before it, of which 4 / 6 is not enough: %+v, %v", UsuallyWith(r, "a.go"), err)
	}
}
