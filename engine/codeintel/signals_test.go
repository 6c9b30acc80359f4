package codeintel

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine/enginetest"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index/git"
)

// TestReferencesAreSaidOnce holds that an issue whose page is not known is named only when the subject has no room for it.
func TestReferencesAreSaidOnce(t *testing.T) {
	commit := WhyCommit{References: []git.Reference{{Text: "#12"}, {Text: "#34", URL: "https://x.org/34"}, {Text: "#56"}}}
	commit.Subject = "Log what is sent (#12, #34)"
	if got, want := referenceLinks(&commit), " [#34](https://x.org/34) #56"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

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

// TestNamesOf holds that two tests of one name can be told apart.
func TestNamesOf(t *testing.T) {
	hit := func(name, path string) (h snippet.Hit) {
		h.Name, h.Path, h.Abs = name, path, "/w/"+path
		return h
	}
	got := wording.Plain(namesOf([]snippet.Hit{hit("TestOpen", "a/open_test.go"), hit("TestClose", "a/close_test.go"), hit("TestOpen", "b/other_test.go")}))
	if want := "TestOpen in open_test.go, TestClose, TestOpen in other_test.go"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
