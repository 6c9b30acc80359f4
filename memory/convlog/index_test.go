package convlog_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/convlog"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

var noon = time.Date(2025, 12, 13, 14, 32, 15, 0, time.UTC)

func openStore(t *testing.T) *sqlite.Store {
	t.Helper()
	s, err := sqlite.OpenMemory(t.Context(), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func find(t *testing.T, s memory.LogIndex, q memory.LogQuery) []memory.LogHit {
	t.Helper()
	hits, err := s.SearchLogs(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

func entry(id, workspace, query, answer string) convlog.Entry {
	return convlog.Entry{ID: id, At: noon, Query: query, Phases: []convlog.Phase{
		{Name: "assess", Title: "Phase 1: ASSESS", Blocks: []convlog.Block{{Value: map[string]any{
			"phase": "assess", "input": map[string]string{"query": query, "workspace": workspace}, "duration_ms": 3,
		}}}},
		{Name: "respond", Title: "Phase 9: RESPOND", Blocks: []convlog.Block{{Value: map[string]string{"phase": "respond", "response": answer}}}},
	}}
}

func TestSyncFollowsTheFiles(t *testing.T) {
	store := openStore(t)
	b := convlog.New(convlog.Options{Dir: t.TempDir(), Now: func() time.Time { return noon.AddDate(0, 0, 8) }})
	ours, err := b.Write(entry("aurora-1", "/shop", "OAuth2 authentication", "The tokens expire, so refresh them before.\nRefresh, then retry."))
	if err != nil {
		t.Fatal(err)
	}
	historic := filepath.Join(b.Dir(), "2024", "03", "auth-bugs-2024-03-05.md")
	if err := os.MkdirAll(filepath.Dir(historic), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(historic, []byte("# Conversation: auth bugs\nDate: 2024-03-05\nQuery: Why are people logged out?\n\n## Phase 3: Decomposition\nThe session cookie is dropped by Safari.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sync := func() {
		t.Helper()
		if err := b.Sync(t.Context(), store); err != nil {
			t.Fatal(err)
		}
	}
	sync()
	hits := find(t, store, memory.LogQuery{Words: []string{"refresh"}})
	if len(hits) != 1 || hits[0].File != ours.File.Name || hits[0].Section != "Phase 9: RESPOND" || hits[0].Phase != 9 || hits[0].QueryID != "aurora-1" {
		t.Fatalf("refresh: %+v", hits)
	}
	section := ours.Sections[1]
	if hits[0].LineStart != section.Start || hits[0].LineEnd != section.End {
		t.Errorf("lines %d-%d, want %d-%d", hits[0].LineStart, hits[0].LineEnd, section.Start, section.End)
	}
	for _, word := range []string{"duration_ms", "respond", "assess"} { // what every conversation has tells nothing
		if hits := find(t, store, memory.LogQuery{Words: []string{word}}); len(hits) > 0 {
			t.Errorf("%s was indexed: %+v", word, hits)
		}
	}
	if hits := find(t, store, memory.LogQuery{Words: []string{"refresh"}, Workspaces: []string{"/other"}}); len(hits) > 0 {
		t.Errorf("a conversation about another workspace: %+v", hits)
	}
	old := find(t, store, memory.LogQuery{Words: []string{"safari", "Cookie"}, Workspaces: []string{"/other"}})
	if len(old) != 1 || old[0].LineStart != 5 || old[0].LineEnd != 6 || !slices.Equal(old[0].Matched, []string{"cookie", "safari"}) {
		t.Errorf("the historic one belongs everywhere: %+v", old)
	}
	if old := find(t, store, memory.LogQuery{Words: []string{"safari"}, Phases: []int{9}}); len(old) > 0 {
		t.Errorf("another phase: %+v", old)
	}

	if _, err := b.Keep(t.Context()); err != nil {
		t.Fatal(err)
	}
	sync()
	if again := find(t, store, memory.LogQuery{Words: []string{"refresh"}}); len(again) != 1 || again[0].LineStart != hits[0].LineStart {
		t.Errorf("after compressing: %+v", again)
	}
	if err := os.Remove(historic + ".gz"); err != nil { // Keep has compressed it
		t.Fatal(err)
	}
	sync()
	if hits := find(t, store, memory.LogQuery{Words: []string{"safari"}}); len(hits) > 0 {
		t.Errorf("the file is gone: %+v", hits)
	}
}

func TestSyncGoesPastWhatCannotBeRead(t *testing.T) {
	store := openStore(t)
	b := convlog.New(convlog.Options{Dir: t.TempDir(), Now: func() time.Time { return noon }})
	if _, err := b.Write(entry("aurora-1", "", "OAuth2 authentication", "x")); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(b.Dir(), "2025", "12", "broken-2025-12-13.md.gz")
	if err := os.WriteFile(broken, []byte("not compressed"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := b.Sync(t.Context(), store)
	if err == nil || !strings.Contains(err.Error(), "broken-2025-12-13.md") {
		t.Errorf("the broken file is not told: %v", err)
	}
	if hits := find(t, store, memory.LogQuery{Words: []string{"oauth", "authentication"}}); len(hits) != 1 {
		t.Errorf("found %+v", hits)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := convlog.New(convlog.Options{Dir: b.Dir()}).Sync(ended, store); err == nil {
		t.Error("an ended context did not end it")
	}
}

// Rare words say more than those that many conversations have.
func TestLogsAreRankedByTheirWords(t *testing.T) {
	store := openStore(t)
	b := convlog.New(convlog.Options{Dir: t.TempDir(), Now: func() time.Time { return noon }})
	for _, query := range []string{"cache sizes", "cache keys", "cache misses", "tokenizer unicode cache"} {
		c, err := b.Write(entry("aurora-"+query, "", query, "nothing"))
		if err != nil {
			t.Fatal(err)
		}
		if err := store.IndexLog(t.Context(), c.Index()); err != nil {
			t.Fatal(err)
		}
	}
	hits := find(t, store, memory.LogQuery{Words: []string{"cache", "tokenizer"}, Limit: 2})
	if len(hits) != 2 || hits[0].Query != "tokenizer unicode cache" || hits[0].Score <= hits[1].Score {
		t.Errorf("%+v", hits)
	}
}
