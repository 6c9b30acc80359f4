package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestHistory(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\ntwo\nthree\n")
	w.commit(0, "Ada", "first")
	w.write("a.go", "one\nTWO\nthree\n")
	w.commit(5, "Grace", "shout two")
	w.write("a.go", "one\nTWO\nthree\nfour\n")
	r := w.open()

	tests := []struct {
		name       string
		start, end int
		want       Info
	}{
		{"one old line", 0, 0, Info{State: Tracked, Commits: 1, LastModified: at(0), LastAuthor: "Ada", LastSubject: "first", FirstCommit: at(0)}},
		{"one new line", 1, 1, Info{State: Tracked, Commits: 1, LastModified: at(5), LastAuthor: "Grace", LastSubject: "shout two", FirstCommit: at(5)}},
		{"all lines", 0, 3, Info{State: Tracked, Commits: 2, Uncommitted: 1, LastModified: at(5), LastAuthor: "Grace", LastSubject: "shout two", FirstCommit: at(0)}},
		{"the unsaved line", 3, 3, Info{State: Tracked, Uncommitted: 1}},
		{"past the end", 2, 99, Info{State: Tracked, Commits: 1, Uncommitted: 1, LastModified: at(0), LastAuthor: "Ada", LastSubject: "first", FirstCommit: at(0)}},
		{"outside", 50, 60, Info{State: Tracked}},
		{"backwards", 3, 1, Info{State: Tracked}},
		{"negative", -5, -1, Info{State: Tracked}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := r.History(context.Background(), "a.go", tt.start, tt.end)
			if err != nil {
				t.Fatal(err)
			}
			if (got.LastCommit == "") != (tt.want.Commits == 0) {
				t.Errorf("last commit %q with %d commits", got.LastCommit, tt.want.Commits)
			}
			got.LastCommit = ""
			if got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestHistoryTextCountsLinesOfTheBuffer(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\ntwo\n")
	w.commit(0, "Ada", "first")
	r := w.open()
	info, err := r.HistoryText(context.Background(), "a.go", []byte("new\none\ntwo\n"), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if info.Commits != 1 || info.Uncommitted != 0 {
		t.Errorf("the moved line: %+v", info)
	}
	if info, _ = r.HistoryText(context.Background(), "a.go", []byte("new\none\ntwo\n"), 0, 0); info.Uncommitted != 1 {
		t.Errorf("the new line: %+v", info)
	}
}

func TestHistoryStates(t *testing.T) {
	w := newWorkTree(t)
	r := w.open()
	ctx := context.Background()
	state := func(rel string) State {
		t.Helper()
		info, err := r.History(ctx, rel, 0, 10)
		if err != nil {
			t.Fatal(err)
		}
		return info.State
	}
	w.write("a.go", "x\n")
	if s := state("a.go"); s != Untracked {
		t.Errorf("no commits yet: %s", s)
	}
	w.git("add", "a.go")
	if s := state("a.go"); s != Tracked {
		t.Errorf("added, no commits yet: %s", s)
	}
	w.commit(0, "Ada", "first")
	w.write("b.go", "x\n")
	if s := state("b.go"); s != Untracked {
		t.Errorf("new file: %s", s)
	}
	w.git("add", "b.go")
	if s := state("b.go"); s != Tracked {
		t.Errorf("added file: %s", s)
	}
	if s := state("nowhere.go"); s != Untracked {
		t.Errorf("missing file: %s", s)
	}
	w.write("empty", "")
	w.commit(1, "Ada", "second")
	if s := state("empty"); s != Tracked {
		t.Errorf("empty file: %s", s)
	}
}

func TestHistoryOfUnusualNames(t *testing.T) {
	w := newWorkTree(t)
	names := []string{"with space.go", "naïve/日本.go", "new\nline.go", "-dash.go", "[glob]*.go", ":(top)x.go", "tab\t.go", "\"q\".go"}
	for _, name := range names {
		w.write(name, "x\n")
	}
	w.commit(0, "Ada", "odd names")
	r := w.open()
	for _, name := range names {
		info, err := r.History(context.Background(), name, 0, 0)
		if err != nil || info.Commits != 1 {
			t.Errorf("%q: %+v, %v", name, info, err)
		}
	}
	commits, err := r.Log(context.Background(), LogOptions{})
	if err != nil || len(commits) != 1 || len(commits[0].Files) != len(names) {
		t.Errorf("log: %+v, %v", commits, err)
	}
}

func TestHistoryFollowsCommits(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\n")
	w.commit(0, "Ada", "first")
	r := w.open()
	ctx := context.Background()
	if info, _ := r.History(ctx, "a.go", 0, 0); info.LastSubject != "first" {
		t.Fatalf("got %+v", info)
	}
	w.write("a.go", "two\n")
	if info, _ := r.History(ctx, "a.go", 0, 0); info.Uncommitted != 1 {
		t.Errorf("after an edit: %+v", info)
	}
	w.commit(1, "Grace", "second")
	if info, _ := r.History(ctx, "a.go", 0, 0); info.LastSubject != "second" {
		t.Errorf("after a commit: %+v", info)
	}
}

func TestHistoryInSubfolderAndWorktree(t *testing.T) {
	w := newWorkTree(t)
	w.write("pkg/a.go", "one\n")
	w.write("b.go", "one\n")
	w.commit(0, "Ada", "first")
	ctx := context.Background()
	sub := w.openAt("pkg")
	if info, err := sub.History(ctx, "a.go", 0, 0); err != nil || info.Commits != 1 {
		t.Errorf("subfolder: %+v, %v", info, err)
	}
	commits, err := sub.Log(ctx, LogOptions{})
	if err != nil || len(commits) != 1 || len(commits[0].Files) != 1 || commits[0].Files[0].Path != "a.go" {
		t.Errorf("subfolder log: %+v, %v", commits, err)
	}
	linked := filepath.Join(t.TempDir(), "linked")
	w.git("worktree", "add", "-q", "-b", "other", linked)
	r, err := Open(ctx, linked)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if h, err := r.Head(ctx); err != nil || h.Branch != "other" {
		t.Errorf("linked worktree: %+v, %v", h, err)
	}
	if info, err := r.History(ctx, "b.go", 0, 0); err != nil || info.Commits != 1 {
		t.Errorf("linked worktree: %+v, %v", info, err)
	}
}

func TestHistoryOfShallowClone(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\n")
	w.commit(0, "Ada", "first")
	w.write("a.go", "one\ntwo\n")
	w.commit(1, "Ada", "second")
	clone := filepath.Join(t.TempDir(), "clone")
	w.git("clone", "-q", "--depth=1", "file://"+w.dir, clone)
	r, err := Open(context.Background(), clone)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	info, err := r.History(context.Background(), "a.go", 0, 0)
	if err != nil || !info.Truncated || !info.AtEdge || !r.Shallow() {
		t.Errorf("got %+v, %v", info, err)
	}
	edge, err := r.Lineage(context.Background(), "a.go", nil, 0, 1)
	if err != nil || len(edge.Commits) != 1 || edge.Edge != edge.Commits[0].Hash {
		t.Errorf("lineage %+v, %v", edge, err)
	}
	full := w.open()
	if info, err := full.History(context.Background(), "a.go", 0, 0); err != nil || info.Truncated || info.AtEdge {
		t.Errorf("full clone: %+v, %v", info, err)
	}
	if all, err := full.Lineage(context.Background(), "a.go", nil, 0, 1); err != nil || len(all.Commits) != 2 || all.Edge != "" {
		t.Errorf("lineage in a full clone: %+v, %v", all, err)
	}
}

func TestHistoryUnavailable(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\n")
	w.commit(0, "Ada", "first")
	r := w.open()
	objects := filepath.Join(w.dir, ".git", "objects")
	if err := os.Rename(objects, objects+".gone"); err != nil {
		t.Fatal(err)
	}
	info, err := r.History(context.Background(), "a.go", 0, 0)
	if info.State != Unavailable || err == nil {
		t.Errorf("broken repository: %+v, %v", info, err)
	}
}

func TestBlameIsSharedAndOutlivesADeadline(t *testing.T) {
	c := newBlameCache(4)
	key := blameKey{rel: "a"}
	started, release := make(chan struct{}), make(chan struct{})
	load := func(ctx context.Context) (*fileBlame, error) {
		close(started)
		select {
		case <-release:
			return &fileBlame{state: Tracked}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	always := func(*fileBlame) bool { return true }
	expired, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	if _, err := c.get(expired, key, always, load); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v, want DeadlineExceeded", err)
	}
	<-started
	close(release)
	b, err := c.get(context.Background(), key, always, func(context.Context) (*fileBlame, error) {
		return nil, errors.New("a second run")
	})
	if err != nil || b.state != Tracked {
		t.Errorf("got %v, %v", b, err)
	}
	c.close()
}

func TestCancelledBlameIsKilled(t *testing.T) {
	c := newBlameCache(4)
	ended := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	_, err := c.get(ctx, blameKey{rel: "a"}, nil, func(ctx context.Context) (*fileBlame, error) {
		cancel()
		<-ctx.Done() // else this test never ends
		close(ended)
		return nil, ctx.Err()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want Canceled", err)
	}
	<-ended
	c.close()
	if _, err := c.get(context.Background(), blameKey{}, nil, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after close: %v, want ErrClosed", err)
	}
}

func TestBlameCacheForgetsTheOldest(t *testing.T) {
	c := newBlameCache(2)
	defer c.close()
	runs := 0
	load := func(context.Context) (*fileBlame, error) { runs++; return &fileBlame{}, nil }
	always := func(*fileBlame) bool { return true }
	for _, rel := range []string{"a", "b", "a", "c", "a", "b"} { // b is the oldest when c comes
		if _, err := c.get(context.Background(), blameKey{rel: rel}, always, load); err != nil {
			t.Fatal(err)
		}
	}
	if runs != 4 {
		t.Errorf("%d runs, want 4", runs)
	}
}

func FuzzParseBlame(f *testing.F) {
	hash := strings.Repeat("a", 40)
	f.Add([]byte(hash + " 1 1 1\nauthor A\ncommitter-time 5\nsummary s\nboundary\nfilename x\n\ttext\n" + hash + " 2 2\n\tmore\n"))
	f.Add([]byte("\n"))
	f.Add([]byte("x"))
	f.Fuzz(func(t *testing.T, out []byte) {
		b, err := parseBlame(out)
		if err != nil {
			return
		}
		b.info(-1, len(b.lines)+1)
	})
}

// blameBench is a file of 2,000 lines and 40 commits.
func blameBench(b *testing.B) *Repo {
	w := newWorkTree(b)
	lines := strings.Split(strings.Repeat("some line of code\n", 2000), "\n")
	for i := range 40 {
		for j := i; j < len(lines)-1; j += 41 {
			lines[j] = strings.Repeat("x", i+1)
		}
		w.write("a.go", strings.Join(lines, "\n"))
		w.commit(i, "Ada", "change")
	}
	return w.open()
}

func BenchmarkHistoryCached(b *testing.B) {
	r := blameBench(b)
	if _, err := r.History(context.Background(), "a.go", 0, 0); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := r.History(context.Background(), "a.go", 100, 140); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHistoryUncached(b *testing.B) {
	r := blameBench(b)
	for b.Loop() {
		r.blames.close()
		r.blames = newBlameCache(blameCacheFiles)
		if _, err := r.History(context.Background(), "a.go", 100, 140); err != nil {
			b.Fatal(err)
		}
	}
}
