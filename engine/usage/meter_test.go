package usage

import (
	"log/slog"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
)

// TestTheMeterDropsTheOldest checks that figures that can't be written neither fail anything nor fill the memory.
func TestTheMeterDropsTheOldest(t *testing.T) {
	store, err := sqlite.OpenMemory(t.Context(), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	m := New(Options{Store: store, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	for range maxMetered + 50 {
		m.note(memory.Metric{At: time.Now(), Op: memory.OpQuery})
	}
	if len(m.pending) != maxMetered || len(m.recent) != maxRecent {
		t.Errorf("%d wait, %d are shown", len(m.pending), len(m.recent))
	}
	m.Close() // logs the failure
}
