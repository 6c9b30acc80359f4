package engine

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestNotesAreKnowledge(t *testing.T) {
	w := openWorkspace(t, map[string]string{
		"main.go": "package main\n",
		".aurora/notes/retries.md": "---\ntitle: Why we retry\ntags: [net, \"ops\"]\nimportance: 0.8\ndomain: reliability\n---\n" +
			"Retries use jitter since the outage.\n",
		".aurora/notes/plain.md":  "# Plain words\r\n\r\nThe zebra crossing has no front matter.\r\n",
		".aurora/notes/empty.md":  "",
		".aurora/notes/image.png": "zebra",
	})
	if err := os.Symlink("/etc/passwd", w.path(".aurora/notes/link.md")); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	hit := w.recall("jitter outage")
	if hit.Name != "Why we retry" || !slices.Equal(hit.Tags, []string{"net", "ops"}) || hit.Type != "knowledge" {
		t.Errorf("hit %+v", hit)
	}
	record, err := w.engine.opts.Memory.Get(ctx, hit.ID)
	if err != nil || record.Importance != 0.8 || record.Domain != "reliability" || record.Workspace != w.dir || record.SourceRef != ".aurora/notes/retries.md" {
		t.Errorf("record %+v, %v", record, err)
	}
	again := New(w.engine.opts) // another process reads the same notes, which is no use of them
	if _, err := again.Search(ctx, SearchRequest{Query: "jitter"}); err != nil {
		t.Error(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	if record, err = w.engine.opts.Memory.Get(ctx, hit.ID); err != nil || record.AccessCount != 1 {
		t.Errorf("read twice: %d uses, %v", record.AccessCount, err)
	}
	if hit := w.recall("zebra"); hit.Name != "Plain words" {
		t.Errorf("hit %+v", hit)
	}
	stats, err := w.engine.opts.Memory.Stats(ctx)
	if err != nil || stats.Records["knowledge"] != 2 {
		t.Errorf("records %v, %v", stats.Records, err)
	}

	w.write(".aurora/notes/plain.md", "The giraffe replaced it.\n")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(w.path(".aurora/notes/plain.md"), later, later); err != nil {
		t.Fatal(err)
	}
	if changed := w.recall("giraffe"); changed.Name != "The giraffe replaced it." {
		t.Errorf("changed note %+v", changed)
	}
	if hits := w.search(SearchRequest{Query: "zebra crossing", Scope: Scope{Types: []string{"knowledge"}}}).Hits; len(hits) != 0 {
		t.Errorf("the old text is still found: %+v", hits)
	}

	_, err = w.engine.Memory().Forget(ctx, []string{hit.ID})
	var refused *Error
	if !errors.As(err, &refused) || refused.Kind != Invalid || !strings.Contains(err.Error(), ".aurora/notes/retries.md") {
		t.Errorf("a note whose file is there was forgotten: %v", err)
	}
	if hit := w.recall("jitter outage"); hit.Name != "Why we retry" {
		t.Errorf("hit %+v", hit)
	}
	w.remove(".aurora/notes/retries.md")
	if hits := w.search(SearchRequest{Query: "jitter outage", Scope: Scope{Types: []string{"knowledge"}}}).Hits; len(hits) != 0 {
		t.Errorf("a deleted note is found: %+v", hits)
	}
	if list, err := w.engine.opts.Memory.Forgotten(ctx); err != nil || len(list) != 1 {
		t.Errorf("forgotten %+v, %v", list, err)
	}
}
