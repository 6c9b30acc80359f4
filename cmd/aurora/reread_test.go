package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/llm"
)

// TestSettingsCountForTheNextSearch changes a settings file under a running server.
func TestSettingsCountForTheNextSearch(t *testing.T) {
	p := smallProject(t)
	p.write("more.go", "package retry\n\n// BackoffTwice waits longer after every failure, twice.\nfunc BackoffTwice() int { return 2 * Backoff(1) }\n")
	parts, err := p.cli().wire(t.Context(), wiring{root: p.dir, folders: []string{p.dir}, server: true})
	if err != nil {
		t.Fatal(err)
	}
	defer parts.close()
	if err := parts.index.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	hits := func() int {
		t.Helper()
		result, err := parts.engine.Search(t.Context(), engine.SearchRequest{Query: "waits longer after every failure"})
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

func TestKeyOfAnyProvider(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv(keyVariableOfAny, "the general one")
	if got := keyOf("openai", ""); got != "the general one" {
		t.Errorf("key %q", got)
	}
	t.Setenv("OPENAI_API_KEY", "its own")
	if got := keyOf("openai", ""); got != "its own" {
		t.Errorf("key %q", got)
	}
}

// A heard generator keeps what it was asked last.
type heard struct {
	llm.Generator
	last llm.Request
}

func (h *heard) Complete(_ context.Context, r llm.Request) (*llm.Response, error) {
	h.last = r
	return &llm.Response{}, nil
}

func TestAdjustedModels(t *testing.T) {
	h := &heard{}
	if adjust(h, 0.7, usualTemperature, 0) != llm.Generator(h) {
		t.Error("the usual settings are wrapped")
	}
	if _, err := adjust(h, 0.2, usualTemperature, 8192).Complete(t.Context(), llm.Request{MaxTokens: 4096, Temperature: 0.7}); err != nil {
		t.Fatal(err)
	}
	if h.last.Temperature != 0.2 || h.last.MaxTokens != 8192 {
		t.Errorf("asked %+v", h.last)
	}
}
