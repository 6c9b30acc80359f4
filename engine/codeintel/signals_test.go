package codeintel

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/enginetest"
)

// TestGitSignalsEndWithTheEngine: closing does not wait for the rest of the files.
func TestGitSignalsEndWithTheEngine(t *testing.T) {
	w := enginetest.Open(t, enginetest.Shop)
	e := New(Options{Index: w.Index, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	defer e.Close()
	e.signals.Kick()
	e.signals.Close()
	if err := e.signals.Wait(context.Background()); err != nil {
		t.Error(err)
	}
	e.signals.Kick()
	if e.signals.Running() {
		t.Error("a closed engine began a round")
	}
}
