package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const pay = "package pay\n\n// Retries is how often a payment is tried.\nconst Retries = 3\n\n// Charge takes money.\nfunc Charge(cents int) error {\n\treturn nil\n}\n"

// readNote returns a note's text.
func readNote(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSharedNotes(t *testing.T) {
	w := openWorkspace(t, map[string]string{"pay/pay.go": pay})
	request := RememberRequest{
		Content: "Charges are rounded up, the bank insists.", SourceRef: "pay/pay.go:7", Tags: []string{"decision", "a: b"}, Importance: 0.5,
	}
	note, err := w.engine.Memory().Share(t.Context(), request)
	if err != nil || !note.Created {
		t.Fatalf("%+v, %v", note, err)
	}
	const want = "---\ntags:\n- decision\n- a: b\ncites:\n- pay/pay.go:Charge\nimportance: 0.5\n---\nCharges are rounded up, the bank insists.\n"
	if got := readNote(t, note.Path); got != want {
		t.Errorf("the note says %q", got)
	}
	hit := w.recall("rounded bank")
	if hit.ID != note.ID || len(hit.Tags) != 2 || len(hit.Citations) != 1 || hit.Citations[0].Name != "Charge" || hit.Citations[0].State != "valid" {
		t.Errorf("hit %+v", hit)
	}
	if again, err := w.engine.Memory().Share(t.Context(), request); err != nil || again.Created || again.ID != note.ID {
		t.Errorf("again: %+v, %v", again, err)
	}

	// The code moves and is renamed: the citation follows, also when another process reads the note.
	w.write("pay/pay.go", strings.Replace(strings.Replace(pay, "func Charge", "func Debit", 1), "package pay\n", "package pay\n\nvar Bank = 1\n", 1))
	w.refresh()
	again := New(w.engine.opts)
	defer again.Close()
	for _, e := range []*Engine{w.engine, again} {
		found, err := e.Search(t.Context(), SearchRequest{Query: "rounded bank", Scope: Scope{Types: []string{"knowledge"}}})
		if err != nil || len(found.Hits) != 1 || len(found.Hits[0].Citations) != 1 {
			t.Fatalf("after the move: %+v, %v", found, err)
		}
		if got := found.Hits[0].Citations[0]; got.State != "moved" || got.Name != "Debit" {
			t.Errorf("after the move: %+v", got)
		}
	}
}

func TestNotesCiteAndSupersede(t *testing.T) {
	old := time.Now().Add(-time.Hour)
	w := openWorkspace(t, map[string]string{
		"pay/pay.go":             pay,
		".aurora/notes/three.md": "---\ncites: [pay/pay.go:Retries, pay/pay.go:7, pay/gone.go:Nobody, pay/pay.go:900]\n---\nThree lemurs retry.\n",
		".aurora/notes/two.md":   "Two lemurs retry.\n",
	})
	hit := w.recall("lemurs three")
	if len(hit.Citations) != 2 || hit.Citations[0].Line != 4 || hit.Citations[1].Name != "Charge" {
		t.Errorf("citations %+v", hit.Citations)
	}
	audit, err := w.engine.Memory().Audit(t.Context())
	if err != nil || len(audit.Notes) != 2 || audit.Notes[0].Line != 2 || !strings.Contains(audit.Notes[0].Message, "pay/gone.go:Nobody") ||
		!strings.Contains(audit.Notes[1].Message, "no line 900") {
		t.Errorf("faults %+v, %v", audit.Notes, err)
	}
	write := func(name, text string) {
		old = old.Add(time.Minute) // each time another one
		w.write(name, text)
		if err := os.Chtimes(w.path(name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	write(".aurora/notes/three.md", "---\ncites: [pay/gone.go:Nobody]\nsupersedes: [two, four]\n---\nThree lemurs retry.\n")
	shown := func() string {
		var names []string
		for _, hit := range w.search(SearchRequest{Query: "lemurs retry", Scope: Scope{Types: []string{"knowledge"}}}).Hits {
			names = append(names, hit.Name)
		}
		return strings.Join(names, " ")
	}
	if got := shown(); got != "Three lemurs retry." {
		t.Errorf("with a superseded note: %q", got)
	}
	audit, err = w.engine.Memory().Audit(t.Context())
	if err != nil || len(audit.Notes) != 2 || audit.Notes[1].Line != 3 || !strings.Contains(audit.Notes[1].Message, `"four"`) {
		t.Errorf("faults %+v, %v", audit.Notes, err)
	}
	w.write("pay/gone.go", "package pay\n\nfunc Nobody() {}\n") // what was not there is found when it comes
	w.refresh()
	if got := w.recall("lemurs three").Citations; len(got) != 1 || got[0].Name != "Nobody" {
		t.Errorf("citations %+v", got)
	}
	write(".aurora/notes/three.md", "Three lemurs retry.\n")
	if got := shown(); !strings.Contains(got, "Two") {
		t.Errorf("with nothing superseded any more: %q", got)
	}
	if got := w.recall("lemurs three").Citations; len(got) != 0 {
		t.Errorf("citations that the note has no more: %+v", got)
	}
	write(".aurora/notes/three.md", "")
	if got := shown(); strings.Contains(got, "Three") {
		t.Errorf("with an empty note: %q", got)
	}
}

// A member is cited by its name alone where that is clear.
func TestNotesCiteMembers(t *testing.T) {
	const text = "package pay\n\ntype A struct{}\n\ntype B struct{}\n\nfunc (a A) Refund() int { return 1 }\n\nfunc (a A) Void() int { return 2 }\n\nfunc (b B) Void() int { return 3 }\n"
	w := openWorkspace(t, map[string]string{
		"pay/pay.go":             text,
		".aurora/notes/three.md": "---\ncites: [pay/pay.go:Refund, pay/pay.go:Void]\n---\nThree lemurs retry.\n",
	})
	if got := w.recall("lemurs three").Citations; len(got) != 1 || got[0].Name != "Refund" || got[0].Line != 7 {
		t.Errorf("citations %+v", got)
	}
	audit, err := w.engine.Memory().Audit(t.Context())
	if err != nil || len(audit.Notes) != 1 || audit.Notes[0].Line != 2 || !strings.Contains(audit.Notes[0].Message, "2 definitions of the name Void: Write the whole name, such as pay/pay.go:A.Void") {
		t.Errorf("faults %+v, %v", audit.Notes, err)
	}
	w.write("pay/pay.go", strings.Replace(text, "Refund", "GiveBack", 1))
	w.refresh()
	if got := w.recall("lemurs three").Citations; len(got) != 1 || got[0].Name != "GiveBack" || got[0].State != "moved" {
		t.Errorf("after a rename: %+v", got)
	}
}

func TestSharedNotesStayInside(t *testing.T) {
	w := openWorkspace(t, map[string]string{"pay/pay.go": pay, ".aurora/config.json": "{}"})
	elsewhere := t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, "foreign.md"), []byte("The ocelot lives elsewhere.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, w.path(".aurora/notes")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.engine.Memory().Share(t.Context(), RememberRequest{Content: "Written outside."}); err == nil || !strings.Contains(err.Error(), "can't be written") {
		t.Errorf("a note is written through a link: %v", err)
	}
	if files, err := os.ReadDir(elsewhere); err != nil || len(files) != 1 {
		t.Errorf("files %v, %v", files, err)
	}
	if hits := w.search(SearchRequest{Query: "ocelot", Scope: Scope{Types: []string{"knowledge"}}}).Hits; len(hits) != 0 {
		t.Errorf("notes from outside: %+v", hits)
	}
	for _, r := range []RememberRequest{{Content: "x", Personal: true}, {Content: "x", Type: "reasoning"}, {Content: "x", GoalID: "G"}, {Content: " "}} {
		if _, err := w.engine.Memory().Share(t.Context(), r); err == nil {
			t.Errorf("shared: %+v", r)
		}
	}
}
