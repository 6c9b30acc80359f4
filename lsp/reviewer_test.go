package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp"
)

func gitIn(t *testing.T, dir string, args ...string) {
	t.Helper()
	args = append([]string{"-C", dir, "-c", "user.name=Ada", "-c", "user.email=ada@example.com"}, args...)
	if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v, %s", args, err, out)
	}
}

// reviewing connects an editor that shows diagnostics to a repository whose changes are reviewed at some time.
func reviewing(t *testing.T, when string) *lsp.Editor {
	return reviewingFiles(t, when, shop, map[string]any{})
}

func reviewingFiles(t *testing.T, when, files string, diagnostics map[string]any) *lsp.Editor {
	w := newWorld(t)
	dir := workspace(t, files)
	gitIn(t, dir, "init", "-q")
	gitIn(t, dir, "add", ".")
	gitIn(t, dir, "commit", "-q", "-m", "first")
	capabilities := lsp.Everything()
	capabilities["textDocument"].(map[string]any)["publishDiagnostics"] = diagnostics
	e, _ := w.connect(lsp.Config{Dir: dir, Capabilities: capabilities, Options: map[string]any{
		"aurora": map[string]any{"client": api.ClientFeatures{Status: true, EditNote: true}, "lsp.review": when},
	}})
	e.AwaitReady()
	if diagnostics["relatedInformation"] == nil {
		e.Call("aurora/remember", map[string]any{"content": "We decided that carts begin empty.", "sourceRef": "code:cart.go:NewCart"}, nil)
	}
	return e
}

// save changes the body of NewCart, in the editor and on disk, and returns the place of its name.
func save(t *testing.T, e *lsp.Editor) int {
	t.Helper()
	e.OpenFile("cart.go")
	at := strings.Index(e.Content("cart.go"), "&Cart{}")
	e.Edit("cart.go", at, at, "/* new */ ")
	if err := os.WriteFile(e.Path("cart.go"), []byte(e.Content("cart.go")), 0o644); err != nil {
		t.Fatal(err)
	}
	e.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": e.URI("cart.go")}})
	return strings.Index(e.Content("cart.go"), "NewCart() *Cart")
}

func hintsOf(e *lsp.Editor, s *lsp.State) []lsp.Hint { return s.Hints[e.URI("cart.go")] }

func TestReviewAtSave(t *testing.T) {
	e := reviewing(t, "save")
	at := save(t, e)
	s := e.Await("a hint about the note", func(s *lsp.State) bool { return len(hintsOf(e, s)) == 1 })
	hint := hintsOf(e, &s)[0]
	if hint.Severity != 4 || hint.Code != "touched-note" || !strings.Contains(hint.Message, "carts begin empty") ||
		!strings.HasPrefix(textAt(e, "cart.go", hint.Range), "func NewCart") {
		t.Errorf("hint %+v at %q", hint, textAt(e, "cart.go", hint.Range))
	}
	var titles []string
	fixes := map[string]lsp.Action{}
	for _, a := range e.Actions("cart.go", at, at, "quickfix") {
		titles = append(titles, a.Title)
		fixes[a.Title] = a
	}
	const unrelated = "Not related: do not show this again"
	if want := []string{"The note is still true", "Change the note", unrelated}; !slices.Equal(titles, want) {
		t.Fatalf("fixes %q", titles)
	}
	var dismissed api.DismissResult
	if err := json.Unmarshal(e.Run(fixes[unrelated]), &dismissed); err != nil || len(dismissed.IDs) != 1 {
		t.Fatalf("dismissed %+v, %v", dismissed, err)
	}
	e.Await("the hint to go", func(s *lsp.State) bool { return len(hintsOf(e, s)) == 0 })
	if left := e.Actions("cart.go", at, at, "quickfix"); len(left) != 0 {
		t.Errorf("fixes without a hint: %+v", left)
	}
	e.Call("aurora/dismiss", map[string]any{"ids": dismissed.IDs, "undo": true}, nil)
	if err := e.Try("aurora/dismiss", map[string]any{"ids": []string{"f-0123456789abcdef"}}, nil); err == nil || !strings.Contains(err.Error(), "no review has found f-0123456789abcdef") {
		t.Errorf("an id that no review has found: %v", err)
	}
	e.Await("the hint again", func(s *lsp.State) bool { return len(hintsOf(e, s)) == 1 })
	e.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"aurora": map[string]any{"lsp.review": "off"}}})
	e.Await("no hints when switched off", func(s *lsp.State) bool { return len(hintsOf(e, s)) == 0 })
}

// Staging is seen although no editor tells of it; what is only saved is not looked at.
func TestReviewAtStage(t *testing.T) {
	e := reviewing(t, "stage")
	save(t, e)
	e.Call("aurora/status", nil, nil)
	if s := e.State(); len(hintsOf(e, &s)) != 0 {
		t.Errorf("hints before anything is staged: %+v", s.Hints)
	}
	gitIn(t, e.Dir, "add", "cart.go")
	e.Await("a hint", func(s *lsp.State) bool { return len(hintsOf(e, s)) == 1 })
	gitIn(t, e.Dir, "commit", "-q", "-m", "second")
	e.Await("no hint after the commit", func(s *lsp.State) bool { return len(hintsOf(e, s)) == 0 })
}

// What is staged is reviewed as it is staged, and shown where it is in the text that was edited since.
func TestReviewAtStageOfAFileEditedFurther(t *testing.T) {
	e := reviewing(t, "stage")
	save(t, e)
	gitIn(t, e.Dir, "add", "cart.go")
	further := strings.Replace(e.Content("cart.go"), "\n", "\n\nvar token = \"ghp_"+strings.Repeat("a1B2c3", 6)+"\"\n", 1)
	e.Edit("cart.go", 0, len(e.Content("cart.go")), further)
	s := e.Await("a hint", func(s *lsp.State) bool { return len(hintsOf(e, s)) > 0 })
	if len(hintsOf(e, &s)) != 1 || hintsOf(e, &s)[0].Code != "touched-note" || !strings.HasPrefix(textAt(e, "cart.go", hintsOf(e, &s)[0].Range), "func NewCart") {
		t.Errorf("hints with unsaved lines: %+v", hintsOf(e, &s))
	}
	if err := os.WriteFile(e.Path("cart.go"), []byte(further), 0o644); err != nil {
		t.Fatal(err)
	}
	e.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": e.URI("cart.go")}})
	e.Call("aurora/remember", map[string]any{"content": "A second note.", "sourceRef": "code:cart.go:NewCart"}, nil) // has it reviewed again
	s = e.Await("two hints", func(s *lsp.State) bool { return len(hintsOf(e, s)) == 2 })
	for _, h := range hintsOf(e, &s) {
		if h.Code != "touched-note" || !strings.HasPrefix(textAt(e, "cart.go", h.Range), "func NewCart") {
			t.Errorf("hint with saved lines: %+v at %q", h, textAt(e, "cart.go", h.Range))
		}
	}
}

// A changed function is one hint: its first callers are related information where the editor shows that, else lines of the message.
func TestReviewNamesCallersOnce(t *testing.T) {
	files := "-- cart.go --\npackage shop\n\nfunc NewCart() *Cart {\n\treturn &Cart{}\n}\n\ntype Cart struct{}\n"
	for i := range 13 {
		files += fmt.Sprintf("-- use%02d.go --\npackage shop\n\nfunc Use%d() *Cart {\n\treturn NewCart()\n}\n", i, i)
	}
	for _, related := range []bool{true, false} {
		for _, when := range []string{"save", "stage"} {
			e := reviewingFiles(t, when, files, map[string]any{"relatedInformation": related})
			e.OpenFile("cart.go")
			at := strings.Index(e.Content("cart.go"), ") *Cart")
			e.Edit("cart.go", at, at, "size int")
			if err := os.WriteFile(e.Path("cart.go"), []byte(e.Content("cart.go")), 0o644); err != nil {
				t.Fatal(err)
			}
			gitIn(t, e.Dir, "add", "cart.go")
			e.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": e.URI("cart.go")}})
			s := e.Await("a hint", func(s *lsp.State) bool { return len(hintsOf(e, s)) > 0 })
			hints := hintsOf(e, &s)
			if len(hints) != 1 || len(s.Hints) != 1 || !strings.HasPrefix(textAt(e, "cart.go", hints[0].Range), "func NewCart(size int)") ||
				!strings.HasPrefix(hints[0].Message, "NewCart takes 1 argument now, and 13 calls still pass another number: change them.\n") ||
				!strings.HasSuffix(hints[0].Message, "\nand 3 more: aurora review -v lists them") {
				t.Fatalf("%v %s: %+v", related, when, s.Hints)
			}
			first := "Use0 calls it with 0 arguments"
			switch {
			case !related:
				if strings.Count(hints[0].Message, "calls it with") != 10 || !strings.Contains(hints[0].Message, "\nuse00.go:4: "+first+"\n") || hints[0].Related != nil {
					t.Errorf("%s: %+v", when, hints[0])
				}
			case len(hints[0].Related) != 10 || hints[0].Related[0].Location.URI != e.URI("use00.go") || hints[0].Related[0].Location.Range.Start.Line != 3 || hints[0].Related[0].Message != first:
				t.Errorf("%s: %+v", when, hints[0])
			}
		}
	}
}

// By default nothing is reviewed, and an editor that shows no diagnostics is sent none.
func TestNoReviewUnasked(t *testing.T) {
	for _, when := range []string{"off", "always"} {
		e := reviewing(t, when)
		save(t, e)
		e.Call("aurora/review", nil, nil)
		e.Call("aurora/remember", map[string]any{"content": "another note"}, nil)
		e.Call("aurora/status", nil, nil)
		if s := e.State(); len(s.Hints) != 0 {
			t.Errorf("%s: %+v", when, s.Hints)
		}
	}
}
