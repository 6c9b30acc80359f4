package git

import (
	"context"
	"errors"
	"testing"
)

func TestRevisions(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\ntwo\n")
	w.commit(0, "Ada", "first")
	w.git("tag", "v1")
	w.write("a.go", "one\nTWO\nthree\n")
	w.commit(5, "Grace", "shout")
	w.write("b.go", "b\n")
	w.commit(9, "Ada", "another file")
	r := w.open()
	ctx := context.Background()

	v1, err := r.Resolve(ctx, "v1")
	if err != nil || !v1.Time.Equal(at(0)) || len(v1.Commit) != 40 {
		t.Fatalf("v1 is %+v (%v)", v1, err)
	}
	if v1.Before != "" {
		t.Errorf("before v1 there is %q", v1.Before)
	}
	if head, err := r.Resolve(ctx, "HEAD"); err != nil || head.Before != "v1" {
		t.Errorf("HEAD is %+v (%v)", head, err)
	}
	if byHash, err := r.Resolve(ctx, v1.Commit[:9]); err != nil || byHash.Commit != v1.Commit {
		t.Errorf("by its hash: %+v (%v)", byHash, err)
	}
	for _, name := range []string{"HEAD^^", "HEAD~2", "v1^0"} {
		if first, err := r.Resolve(ctx, name); err != nil || first.Commit != v1.Commit {
			t.Errorf("%s: %+v (%v)", name, first, err)
		}
	}
	for _, name := range []string{"", "v2", "v1..HEAD", "-q", "--all", "^HEAD", "HEAD^{tree}", "v1:a.go", ":/first", "a b", "HEAD@{1}", "deadbeef"} {
		if got, err := r.Resolve(ctx, name); !errors.Is(err, ErrNoRevision) {
			t.Errorf("%q is %+v (%v)", name, got, err)
		}
	}
	commits, err := r.Log(ctx, LogOptions{From: v1.Commit})
	if err != nil || len(commits) != 2 || commits[0].Subject != "another file" || commits[1].Subject != "shout" {
		t.Errorf("since v1: %+v (%v)", commits, err)
	}
	commits, err = r.Log(ctx, LogOptions{From: v1.Commit, To: commits[1].Hash})
	if err != nil || len(commits) != 1 || commits[0].Subject != "shout" {
		t.Errorf("from v1 to the second: %+v (%v)", commits, err)
	}
	if tags, err := r.Tags(ctx, 5); err != nil || len(tags) != 1 || tags[0] != "v1" {
		t.Errorf("tags %q (%v)", tags, err)
	}
}

func TestOrigins(t *testing.T) {
	w := newWorkTree(t)
	w.write("a.go", "one\ntwo\n")
	w.commit(0, "Ada", "first")
	w.write("a.go", "one\nTWO\nthree\n")
	w.commit(5, "Grace", "shout")
	r := w.open()
	list, err := r.Origins(context.Background(), "a.go", nil, 0, 99)
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v (%v)", list, err)
	}
	first, second := list[0], list[1]
	if first.Author != "Ada" || first.Lines != 1 || first.Subject != "first" || !first.Time.Equal(at(0)) {
		t.Errorf("first %+v", first)
	}
	if second.Author != "Grace" || second.Lines != 2 {
		t.Errorf("second %+v", second)
	}
	list, err = r.Origins(context.Background(), "a.go", []byte("new\none\n"), 0, 1)
	if err != nil || len(list) != 1 || list[0].Lines != 1 || list[0].Author != "Ada" {
		t.Errorf("of a buffer: %+v (%v)", list, err)
	}
}
