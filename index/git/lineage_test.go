package git

import (
	"context"
	"strings"
	"testing"
)

func TestParseRemote(t *testing.T) {
	for address, want := range map[string]string{
		"git@github.com:ada/shop.git":                     "https://github.com/ada/shop/pull/12",
		"https://ada:secret@gitlab.example.org/a/b/shop/": "https://gitlab.example.org/a/b/shop/-/merge_requests/12",
		"ssh://git@codeberg.org:2222/ada/shop.git":        "https://codeberg.org/ada/shop/pulls/12",
		"https://bitbucket.org/ada/shop.git":              "https://bitbucket.org/ada/shop/pull-requests/12",
		"https://git.example.org/ada/shop.git":            "",
		"../shop":                                         "",
		"":                                                "",
	} {
		refs := ParseRemote(address).References("Merge pull request #12 from ada/tax", "")
		if len(refs) != 1 || refs[0].Text != "#12" || refs[0].URL != want {
			t.Errorf("%s: %+v, want %s", address, refs, want)
		}
	}
}

func TestReferences(t *testing.T) {
	r := ParseRemote("git@github.com:ada/shop.git")
	refs := r.References("Round down (#34)", "Fixes #7, see x#8 and color:#123456789.\n")
	if len(refs) != 2 || refs[0].URL != r.Base+"/pull/34" || refs[1].URL != r.Base+"/issues/7" {
		t.Errorf("references %+v", refs)
	}
	if got := r.Commit("abc"); got != "https://github.com/ada/shop/commit/abc" {
		t.Errorf("commit %s", got)
	}
}

func TestLineageFollowsRenamesAndReformatting(t *testing.T) {
	repo := newWorkTree(t)
	ctx := context.Background()
	body := "one\ntwo\nthree is a longer line\nfour is a longer line, too\nfive is one as well\n"
	repo.write("a.txt", strings.Replace(body, "three is", "three was", 1))
	repo.commit(1, "Ada", "First (#1)")
	repo.write("a.txt", body)
	repo.commit(2, "Ada", "Three is (#2)")
	repo.git("mv", "a.txt", "b.txt")
	repo.commit(3, "Ada", "Move")
	repo.write("b.txt", strings.ReplaceAll(body, "three is", "  three  is"))
	repo.commit(4, "Ada", "Indent")
	r := repo.open()
	l, err := r.Lineage(ctx, "b.txt", nil, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Commits) != 1 || l.Commits[0].Subject != "Three is (#2)" || l.Commits[0].Lines != 1 {
		t.Errorf("commits %+v", l.Commits)
	}
	if l.Before == nil || l.Before.Subject != "First (#1)" {
		t.Errorf("before %+v", l.Before)
	}
	l, err = r.Lineage(ctx, "b.txt", []byte("new\n"+body), 0, 1)
	if err != nil || l.Uncommitted != 1 || len(l.Commits) != 1 || l.Commits[0].Subject != "First (#1)" {
		t.Errorf("a buffer: %+v, %v", l, err)
	}
}
