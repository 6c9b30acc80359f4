package lsp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/lsp"
)

// TestHoversTellWhatUsuallyChangesTogether has the line in a card, as Markdown and as plain text.
func TestHoversTellWhatUsuallyChangesTogether(t *testing.T) {
	dir := workspace(t, shop)
	for i := range 6 {
		for _, name := range []string{"cart.go", "checkout.go"} {
			f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(f, "// %d\n", i)
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=Ada", "-c", "user.email=a@b.c", "commit", "-qm", "Change"}} {
			if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
	}
	w := newWorldWith(t, nil, func(o *engine.Options) { o.CollectGit = true })
	for _, c := range []struct{ editor, format, want string }{
		{"", "markdown", "The file usually changes with [checkout.go](file://" + dir + "/checkout.go#L1) (6 of 6 commits)"},
		{"Neovim", "markdown", "The file usually changes with checkout.go (6 of 6 commits)"},
		{"", "plaintext", "The file usually changes with checkout.go (6 of 6 commits)"},
	} {
		e, _ := w.connect(lsp.Config{Dir: dir, Name: c.editor, Capabilities: map[string]any{
			"textDocument": map[string]any{"hover": map[string]any{"contentFormat": []string{c.format}}},
		}, Options: map[string]any{}})
		w.settle()
		card, at := "", strings.Index(e.Content("cart.go"), "AddItem(")
		for deadline := time.Now().Add(time.Minute); !strings.Contains(card, c.want); { // the history is read behind the index
			if card = e.Hover("cart.go", at); time.Now().After(deadline) {
				t.Fatalf("%s %s: want %s in\n%s", c.editor, c.format, c.want, card)
			}
		}
	}
}

// TestSearchKnowsTheOpenFile holds that a search of an editor brings what changes with the file that the person looks at.
func TestSearchKnowsTheOpenFile(t *testing.T) {
	payout := func(name string, n int) string {
		return fmt.Sprintf("package shop\n\n// %[1]s pays the refund out.\nfunc %[1]s() {}\n\nconst round%[1]s = %[2]d\n", name, n)
	}
	dir := workspace(t, "-- a.go --\n"+payout("Alpha", 0)+"-- b.go --\n"+payout("Beta", 0)+"-- open.go --\npackage shop\n")
	for i := range 4 {
		for name, text := range map[string]string{"b.go": payout("Beta", i), "open.go": fmt.Sprintf("package shop\n\nconst round = %d\n", i)} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=Ada", "-c", "user.email=a@b.c", "commit", "-qm", "Change"}} {
			if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
	}
	w := newWorldWith(t, nil)
	e, _ := w.connect(lsp.Config{Dir: dir, Options: lsp.Announced()})
	e.AwaitReady()
	if hits := e.Search("how is the refund paid out").Hits; len(hits) < 2 || hits[0].Path != "a.go" {
		t.Fatalf("with nothing open: %+v", hits)
	}
	e.OpenFile("open.go")
	w.settle()
	if hits := e.Search("how is the refund paid out").Hits; len(hits) < 2 || hits[0].Path != "b.go" {
		t.Errorf("with open.go open: %+v", hits)
	}
}
