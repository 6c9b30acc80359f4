package engine

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine/fault"
)

const listNote = "package price\n\n// Shrink frees the list.\nfunc Shrink(list []int) []int {\n\t// NOTE: We do not shrink the list here, because it is released right after this.\n\treturn list\n}\n"

// TestCaptureOfComments follows an offer from the comment to the record, and to stale memory when the code says something else.
func TestCaptureOfComments(t *testing.T) {
	w := newWorkspace(t, map[string]string{"price/list.go": listNote, "price/list_test.go": listNote, "price/gone.go": "package price\n"})
	if err := os.RemoveAll(w.path(".git")); err != nil { // comments need no git
		t.Fatal(err)
	}
	w.open()
	found := w.offers(CaptureRequest{Comments: true})
	if len(found.Offers) != 1 || found.Files != 2 {
		t.Fatalf("%+v", found)
	}
	o := found.Offers[0]
	want := "Shrink: We do not shrink the list here, because it is released right after this."
	if o.Comment != "price/list.go:5" || o.Text != want || len(o.Places) != 1 || o.Places[0].Name != "Shrink" || o.Places[0].Line != 4 {
		t.Errorf("%+v", o)
	}
	ctx := context.Background()
	for _, place := range []string{"price/list.go:4", "price/none.go:1", "price/list.go:0", "C:\\x:5"} {
		var failed *fault.Error
		if _, _, err := w.engine.Capture().Accept(ctx, "", place); !errors.As(err, &failed) || failed.Kind != fault.Invalid {
			t.Errorf("accept %s: %v", place, err)
		}
	}
	id, created, err := w.engine.Capture().Accept(ctx, "", o.Comment)
	if err != nil || !created {
		t.Fatal(id, created, err)
	}
	entry, err := w.engine.Memory().RecordEntry(ctx, id)
	if err != nil || entry.Text != want || len(entry.Citations) != 1 || entry.Citations[0].Name != "Shrink" {
		t.Errorf("%+v, %v", entry, err)
	}
	if again := w.offers(CaptureRequest{Comments: true}); len(again.Offers) != 0 {
		t.Errorf("accepted, and offered again: %+v", again.Offers)
	}
	w.write("price/gone.go", strings.Replace(listNote, "Shrink", "Grow", 2))
	w.wait()
	if _, err := w.engine.Indexing().Refresh(ctx, []string{w.path("price/gone.go")}, true); err != nil {
		t.Fatal(err)
	}
	w.wait()
	other := w.offers(CaptureRequest{Comments: true})
	if len(other.Offers) != 1 {
		t.Fatalf("a new comment: %+v", other)
	}
	if err := w.engine.Capture().Dismiss(ctx, "", other.Offers[0].Comment); err != nil {
		t.Fatal(err)
	}
	if again := w.offers(CaptureRequest{Comments: true}); len(again.Offers) != 0 {
		t.Errorf("dismissed, and offered again: %+v", again.Offers)
	}
}
