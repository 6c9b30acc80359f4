package git

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestDiff(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\r\ntwo\r\nthree\r\n")
	w.write("old.go", strings.Repeat("the same line\n", 20))
	w.write("gone.go", "x\n")
	w.commit(0, "Ada", "first")
	w.write("a.go", "one\r\n2\r\nthree\r\nfour\r\n")
	w.write("bin", "\x00\x01")
	w.git("mv", "old.go", "new.go")
	w.git("rm", "-q", "gone.go")
	w.git("add", ".")
	r := w.open()
	patch, base, err := Diff(context.Background(), r, DiffOptions{Staged: true})
	if err != nil || len(base) != 40 {
		t.Fatalf("diff from %q: %v", base, err)
	}
	got, err := ParseDiff(patch)
	want := []FileDiff{
		{Path: "a.go", Old: "a.go", Kind: Modified, Hunks: []Hunk{{2, []string{"two"}, []string{"2"}}, {4, nil, []string{"four"}}}},
		{Path: "bin", Kind: Added, Binary: true},
		{Path: "gone.go", Old: "gone.go", Kind: Deleted, Hunks: []Hunk{{1, []string{"x"}, nil}}},
		{Path: "new.go", Old: "old.go", Kind: Modified},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

func TestDiffOfBranch(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\n")
	w.commit(0, "Ada", "first")
	w.git("checkout", "-q", "-b", "topic")
	w.write("b.go", "two\n")
	w.commit(1, "Ada", "second")
	w.git("checkout", "-q", "main")
	w.write("c.go", "three\n")
	w.commit(2, "Ada", "third")
	w.git("checkout", "-q", "--detach", "topic")
	r := w.open()
	patch, _, err := Diff(context.Background(), r, DiffOptions{Range: "main.."})
	if err != nil || !strings.Contains(patch, "b.go") || strings.Contains(patch, "c.go") {
		t.Errorf("%v: %s", err, patch)
	}
	for _, bad := range []string{"nobody..", "--output=x..", ".."} {
		if _, _, err := Diff(context.Background(), r, DiffOptions{Range: bad}); bad != ".." && err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestDiffWithoutCommits(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "x\n")
	w.git("add", ".")
	if patch, _, err := Diff(context.Background(), w.open(), DiffOptions{Staged: true}); err != nil || !strings.Contains(patch, "+x") {
		t.Errorf("%v: %s", err, patch)
	}
}

func TestCompanions(t *testing.T) {
	w := newWorkTree(t)
	for i := range 8 {
		w.write("a.go", fmt.Sprint(i))
		w.write("a.md", fmt.Sprint(i))
		if i%4 == 0 {
			w.write("rare.go", fmt.Sprint(i))
		}
		w.commit(i, "Ada", "both")
	}
	r := w.open()
	got, err := Companions(context.Background(), r, "HEAD", []string{"a.go"})
	if want := (Companion{CoChange{"a.md", 8, 8}, "a.go"}); err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	w.git("rm", "-q", "a.md")
	w.commit(9, "Ada", "without")
	if got, err := Companions(context.Background(), r, "HEAD", []string{"a.go"}); err != nil || len(got) != 0 {
		t.Errorf("a deleted file is missed: %v, %v", got, err)
	}
}

func FuzzParseDiff(f *testing.F) {
	f.Add("diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n")
	f.Add("--- a\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n")
	f.Add("diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n")
	f.Fuzz(func(t *testing.T, patch string) {
		files, err := ParseDiff(patch)
		if err != nil {
			return
		}
		for _, file := range files {
			for _, h := range file.Hunks {
				if len(h.Removed)+len(h.Added) == 0 || len(h.Removed)+len(h.Added) > strings.Count(patch, "\n")+1 {
					t.Errorf("%+v of %q", h, patch)
				}
			}
		}
	})
}

// A text that nobody has saved is compared as git compares the file.
func TestDiffText(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\r\ntwo\r\nthree\r\n")
	w.commit(0, "Ada", "first")
	r := w.open()
	for _, text := range []string{"one\r\n2\r\nthree\r\nfour\r\n", "one\n2\nthree\nfour\n"} {
		got, err := DiffText(context.Background(), r, "HEAD", "a.go", []byte(text))
		if want := []Hunk{{2, []string{"two"}, []string{"2"}}, {4, nil, []string{"four"}}}; err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string][]Hunk{
		"one\ntwo\nthree\n": nil, "two\nthree\n": {{1, []string{"one"}, nil}}, "": {{1, []string{"one", "two", "three"}, nil}},
		"one\ntwo\nlast": {{3, []string{"three"}, []string{"last"}}},
	} {
		if got, err := DiffText(context.Background(), r, "HEAD", "a.go", []byte(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	if _, err := DiffText(context.Background(), r, "HEAD", "absent.go", nil); err == nil {
		t.Error("a file that git does not know was compared")
	}
}

func TestShifted(t *testing.T) {
	before, after := "a\nb\nc\nd\ne\nf\n", "new\na\nB1\nB2\nc\ne\nf\nend\n"
	hunks := DiffLines([]byte(before), []byte(after))
	for line, want := range map[int]int{1: 2, 2: 3, 3: 5, 4: 6, 5: 6, 6: 7} {
		if got := Shifted(hunks, line); got != want {
			t.Errorf("line %d is at %d, want %d", line, got, want)
		}
	}
	if got := Shifted(nil, 3); got != 3 {
		t.Errorf("without a difference line 3 is at %d", got)
	}
}

func TestStagedTexts(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\n")
	w.write("same.go", "x\n")
	w.commit(0, "Ada", "first")
	w.write("a.go", "two\n")
	w.git("add", ".")
	w.write("a.go", "three\n")
	got, err := StagedTexts(context.Background(), w.open())
	if want := map[string][]byte{"a.go": []byte("two\n")}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
}
