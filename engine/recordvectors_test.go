package engine

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/memory"
)

// openMeaning opens the shop with the model of the program.
func openMeaning(t *testing.T) *testWorkspace {
	t.Helper()
	model, err := embed.Default()
	if err != nil {
		t.Fatal(err)
	}
	w := newWorkspace(t, shop)
	w.embedder = model
	w.open()
	return w
}

const floats = "Prices are kept in cents as integers; floats lost money in rounding."

func TestSearchFindsRecordsByMeaning(t *testing.T) {
	w := openMeaning(t)
	id := w.remember(RememberRequest{Content: floats, Type: "knowledge"})
	w.remember(RememberRequest{Content: "Deploys are frozen on Fridays after 3 pm.", Type: "knowledge"})
	found := w.search(SearchRequest{Query: "type:knowledge floating point imprecision of currency"})
	if len(found.Hits) == 0 || found.Hits[0].ID != id {
		t.Fatalf("hits %v, notes %q", names(found.Hits), found.Notes)
	}
	h := found.Hits[0]
	if h.Scores.BM25 == nil || h.Scores.Semantic == nil || *h.Scores.Semantic <= 0 || !strings.Contains(h.Explanation, "floating") || found.Mode != "hybrid" {
		t.Errorf("scores %+v, explanation %q, mode %s", h.Scores, h.Explanation, found.Mode)
	}

	rewrite := func(content string) {
		if _, _, err := w.engine.opts.Memory.Remember(context.Background(), memory.Record{ID: id, Type: memory.Knowledge, Content: content}); err != nil {
			t.Fatal(err)
		}
	}
	// What is rewritten, forgotten and restored is followed.
	rewrite("Use the read replica for reports; the primary is too busy at month end.")
	if found := w.search(SearchRequest{Query: "type:knowledge floating point imprecision of currency"}); len(found.Hits) != 0 {
		t.Errorf("a text that is no longer there: %v", names(found.Hits))
	}
	rewrite(floats)
	if _, err := w.engine.Memory().Forget(context.Background(), []string{id}); err != nil {
		t.Fatal(err)
	}
	if found := w.search(SearchRequest{Query: "type:knowledge floating point imprecision of currency"}); len(found.Hits) != 0 {
		t.Errorf("forgotten, and found: %v", names(found.Hits))
	}
}

func TestNoiseIsAnsweredByNoRecord(t *testing.T) {
	w := openMeaning(t)
	w.remember(RememberRequest{Content: floats, Type: "knowledge"})
	for _, query := range []string{"type:knowledge best pizza near the harbour tonight", "type:knowledge when did the roman empire fall"} {
		if found := w.search(SearchRequest{Query: query}); len(found.Hits) != 0 || len(found.Notes) == 0 {
			t.Errorf("%s: %v, notes %q", query, names(found.Hits), found.Notes)
		}
	}
}

// TestRecordsGetVectorsOfTheEndpoint asks a real server for the vectors of records, once each.
func TestRecordsGetVectorsOfTheEndpoint(t *testing.T) {
	w, e, dir := openWorkspace(t, shop), serveWords(t), filepath.Join(t.TempDir(), "vectors")
	id := w.remember(RememberRequest{Content: "The levy is rounded up.", Type: "knowledge"})
	engine := w.withEndpoint(e, dir, true)
	ctx := context.Background()
	counts, err := engine.MigrateEmbeddings(ctx, false, nil)
	if err != nil || counts.Records != 1 || counts.Without != 0 || counts.Made != counts.Chunks+1 {
		t.Fatalf("%+v, %v", counts, err)
	}
	found, err := engine.Search(ctx, SearchRequest{Query: "type:knowledge the tax upwards", Unjudged: true})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(found.Hits, func(h Hit) bool { return h.ID == id })
	if at < 0 || found.Hits[at].Scores.Semantic == nil || *found.Hits[at].Scores.Semantic <= 0 {
		t.Errorf("the record has no score for its meaning: %+v", found.Hits)
	}
	if counts, err = engine.MigrateEmbeddings(ctx, false, nil); err != nil || counts.Made != 0 {
		t.Errorf("made again: %+v, %v", counts, err)
	}
}
