package engine

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
	e := newIntel(intelOptions{index: w.Index, log: slog.New(slog.DiscardHandler), now: time.Now})
	defer e.close()
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
