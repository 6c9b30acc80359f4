package git

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestLog(t *testing.T) {
	w := newWorkTree(t)
	r := w.open()
	ctx := context.Background()
	if commits, err := r.Log(ctx, LogOptions{}); err != nil || commits != nil {
		t.Errorf("before the first commit: %v, %v", commits, err)
	}
	w.write("a.go", "1\n")
	w.write("d/b.go", "1\n")
	w.commit(0, "Ada", "Add login")
	w.write("a.go", "2\n")
	w.commit(1, "Grace", "fix: [login] typo")
	w.git("checkout", "-q", "-b", "side", "HEAD~1")
	w.write("c.go", "1\n")
	w.commit(2, "Ada", "Side work")
	w.git("checkout", "-q", "main")
	w.gitAt(at(3), "Ada", "merge", "-q", "--no-edit", "-m", "Merge side", "side")
	w.git("rm", "-q", "d/b.go")
	w.commit(4, "Ada", "Drop b")

	subjects := func(o LogOptions) []string {
		t.Helper()
		commits, err := r.Log(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		var s []string
		for _, c := range commits {
			s = append(s, c.Subject)
		}
		return s
	}
	for _, tt := range []struct {
		name string
		o    LogOptions
		want []string
	}{
		{"everything", LogOptions{}, []string{"Drop b", "Merge side", "Side work", "fix: [login] typo", "Add login"}},
		{"limit", LogOptions{Limit: 2}, []string{"Drop b", "Merge side"}},
		{"path", LogOptions{Path: "a.go"}, []string{"fix: [login] typo", "Add login"}},
		{"deleted path", LogOptions{Path: "d/b.go"}, []string{"Drop b", "Add login"}},
		{"folder", LogOptions{Path: "d"}, []string{"Drop b", "Add login"}},
		{"since", LogOptions{Since: at(2).Add(time.Minute)}, []string{"Drop b", "Merge side"}},
		{"nothing", LogOptions{Path: "no such file"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := subjects(tt.o); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	commits, err := r.Log(ctx, LogOptions{Limit: 1})
	if err != nil || len(commits) != 1 {
		t.Fatal(commits, err)
	}
	if c := commits[0]; c.Author != "Ada" || !c.Time.Equal(at(4)) || len(c.Hash) != 40 ||
		!slices.Equal(c.Files, []FileChange{{"d/b.go", Deleted}}) {
		t.Errorf("got %+v", c)
	}
}

func TestStatusAndChangedFiles(t *testing.T) {
	w := newWorkTree(t)
	w.write("top.go", "1\n")
	for _, name := range []string{"keep", "edit", "gone", "old name", "binary"} {
		w.write("d/"+name, name+"\n1\n2\n3\n")
	}
	w.commit(0, "Ada", "one")
	w.write("top.go", "2\n")
	w.write("d/edit", "edit\n1\n2\n3\n4\n5\n")
	w.write("d/binary", "\x00\x01")
	w.write("d/new\nfile", "x\n")
	w.write("d/staged", "x\n")
	w.git("add", "d/staged")
	w.git("mv", "d/old name", "d/new name")
	if err := os.Remove(filepath.Join(w.dir, "d/gone")); err != nil {
		t.Fatal(err)
	}
	r := w.openAt("d")
	status, err := r.Status(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(status, func(a, b FileStatus) int { return cmp.Compare(a.Path, b.Path) })
	want := []FileStatus{
		{Path: "binary", Kind: Modified},
		{Path: "edit", Kind: Modified},
		{Path: "gone", Kind: Deleted},
		{Path: "new\nfile", Kind: New},
		{Path: "new name", Kind: Modified},
		{Path: "staged", Kind: Added},
	}
	slices.SortFunc(want, func(a, b FileStatus) int { return cmp.Compare(a.Path, b.Path) })
	if !slices.Equal(status, want) {
		t.Errorf("status\ngot  %+v\nwant %+v", status, want)
	}
	changed, err := r.ChangedFiles(context.Background(), at(-1))
	if err != nil {
		t.Fatal(err)
	}
	if changed["keep"] != (ChangedFile{LastModified: at(0)}) || changed["edit"] != (ChangedFile{at(0), true}) || changed["staged"] != (ChangedFile{Uncommitted: true}) {
		t.Errorf("changed files: %+v", changed)
	}
}

func TestStatusBeforeFirstCommit(t *testing.T) {
	w := newWorkTree(t)
	w.write("a", "x")
	r := w.open()
	status, err := r.Status(context.Background())
	if err != nil || len(status) != 1 || status[0].Kind != New {
		t.Errorf("status: %+v, %v", status, err)
	}
}

func TestFiles(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "x")
	w.write("build/forced.log", "x")
	w.write(".gitignore", "*.log\n")
	w.git("add", "-f", ".")
	w.write("new\nname", "x")
	w.write("b.log", "x")
	w.write("nested/n.go", "x")
	w.git("init", "-q", "nested")
	w.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",sub.nvim")
	files, err := w.open().Files(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(files, func(a, b Listed) int { return cmp.Compare(a.Path, b.Path) })
	want := []Listed{
		{".gitignore", true, false}, {"a.go", true, false}, {"build/forced.log", true, false},
		{"nested", false, true}, {"new\nname", false, false},
		{"sub.nvim", true, true},
	}
	if !slices.Equal(files, want) {
		t.Errorf("got  %+v\nwant %+v", files, want)
	}
}

func TestIgnoreChecker(t *testing.T) {
	w := newWorkTree(t)
	w.write(".gitignore", "*.log\n!keep.log\n/out/\n")
	w.write("sub/.gitignore", "local[!a]\n")
	w.write("forced.log", "x")
	w.git("add", "-f", ".")
	w.write("out/x", "x")
	c := w.open().NewIgnoreChecker()
	defer c.Close()
	ctx := context.Background()
	for _, tt := range []struct {
		path    string
		ignored bool
		line    int
		pattern string
	}{
		{"a.go", false, 0, ""},
		{"b.log", true, 1, "*.log"},
		{"keep.log", false, 2, "!keep.log"},
		{"forced.log", false, 0, ""},
		{"out", true, 3, "/out/"},
		{"out/x", true, 3, "/out/"},
		{"sub/localb", true, 1, "local[!a]"},
		{"sub/locala", false, 0, ""},
		{"new\nline.log", true, 1, "*.log"},
		{":(top)x.log", true, 1, "*.log"},
		{"", false, 0, ""},
		{"nul\x00.log", false, 0, ""},
	} {
		m, err := c.Check(ctx, tt.path)
		if err != nil {
			t.Errorf("%q: %v", tt.path, err)
			continue
		}
		if m.Ignored() != tt.ignored || m.Line != tt.line || m.Pattern != tt.pattern {
			t.Errorf("%q: got %+v, want %+v", tt.path, m, tt)
		}
	}
	w.write(".gitignore", "*.txt\n")
	c.Reset()
	if m, err := c.Check(ctx, "b.txt"); err != nil || !m.Ignored() {
		t.Errorf("after Reset: %+v, %v", m, err)
	}
	if _, err := c.Check(ctx, "../outside"); err == nil {
		t.Error("a path outside the repository got an answer")
	}
	if m, err := c.Check(ctx, "b.txt"); err != nil || !m.Ignored() {
		t.Errorf("after an error: %+v, %v", m, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := c.Check(cancelled, "b.txt"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v, want Canceled", err)
	}
	c.Close()
	if _, err := c.Check(ctx, "b.txt"); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v, want ErrClosed", err)
	}
}

func BenchmarkIgnoreCheck(b *testing.B) {
	w := newWorkTree(b)
	w.write(".gitignore", "*.log\n/out/\n")
	c := w.open().NewIgnoreChecker()
	defer c.Close()
	for b.Loop() {
		if _, err := c.Check(context.Background(), "some/path/to/file.go"); err != nil {
			b.Fatal(err)
		}
	}
}
