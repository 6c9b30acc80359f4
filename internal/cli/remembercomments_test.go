package cli

import (
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// TestRememberComments lists a comment, keeps it, and lists it no more.
func TestRememberComments(t *testing.T) {
	p := newProject(t)
	if got := p.run("aurora", "remember", "--comments"); got.code != app.ExitNothing || !strings.HasPrefix(got.out, "Nothing to remember in the comments of ") {
		t.Errorf("without comments: %s", got)
	}
	p.write("list.go", "package list\n\nfunc Shrink(list []int) []int {\n\t// NOTE: We do not shrink the list here, because it is released right after this.\n\treturn list\n}\n")
	got := p.run("aurora", "remember", "--comments")
	if got.code != 0 || !strings.HasPrefix(got.out, "list.go:4\n  Shrink: We do not shrink the list here,") || !strings.Contains(got.out, "--accept <path:line>") {
		t.Fatal(got)
	}
	if got := p.run("aurora", "remember", "--accept", "list.go:4"); got.code != 0 || !strings.HasPrefix(got.out, "Remembered as know:") {
		t.Error(got)
	}
	if got := p.run("aurora", "remember", "--comments"); got.code != app.ExitNothing {
		t.Error(got)
	}
	if got := p.run("aurora", "mem", "released list"); !strings.Contains(got.out, "Shrink: We do not shrink the list") {
		t.Error(got)
	}
	if got := p.run("aurora", "remember", "--comments", "--commits"); got.code != app.ExitUsage {
		t.Error(got)
	}
}
