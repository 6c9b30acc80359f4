package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

// TestSettingsCountForTheNextSearch changes a settings file under a running server.
func TestSettingsCountForTheNextSearch(t *testing.T) {
	p := smallProject(t)
	p.write("more.go", "package retry\n\n// BackoffTwice waits longer after every failure, twice.\nfunc BackoffTwice() int { return 2 * Backoff(1) }\n")
	parts, err := workspace.Wire(t.Context(), p.cli(), workspace.Wiring{Root: p.dir, Folders: []string{p.dir}, Server: true})
	if err != nil {
		t.Fatal(err)
	}
	defer parts.Close()
	if err := parts.Index.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	hits := func() int {
		t.Helper()
		result, err := parts.Engine.Search(t.Context(), engine.SearchRequest{Query: "waits longer after every failure"})
		if err != nil {
			t.Fatal(err)
		}
		return len(result.Hits)
	}
	until := func(want int) {
		t.Helper()
		deadline := time.Now().Add(10 * time.Second)
		for got := hits(); got != want; got = hits() {
			if time.Now().After(deadline) {
				t.Fatalf("%d hits, want %d", got, want)
			}
		}
	}
	until(2)
	file := filepath.Join(p.dir, ".aurora", "config.yml")
	p.write(".aurora/config.yml", "search: {limit: 1}\n")
	until(1)
	p.write(".aurora/config.yml", "search: {limit: none}\n") // the last good settings stay
	if got := hits(); got != 1 {
		t.Errorf("%d hits under bad settings", got)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	until(2)
}
