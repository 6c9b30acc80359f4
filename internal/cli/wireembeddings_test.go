package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/setup"
)

// TestEndpointNeedsItsKey holds that the provider openai is in use only when its key is set, and that search goes
// on without.
func TestEndpointNeedsItsKey(t *testing.T) {
	p := smallProject(t)
	t.Setenv("OPENAI_API_KEY", "")
	own := filepath.Join(p.home, ".aurora", "config.json")
	text := []byte(`{"embeddings": {"provider": "openai", "model": "text-embedding-3-small"}}`)
	if err := errors.Join(os.MkdirAll(filepath.Dir(own), 0o700), os.WriteFile(own, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	got := p.run("aurora", "mem", "search", "Backoff")
	if got.code != 0 || !strings.Contains(got.out, "Backoff") {
		t.Errorf("search: %s", got)
	}
	if got := p.run("aurora", "doctor"); !strings.Contains(got.out, "OPENAI_API_KEY is not set") {
		t.Errorf("doctor: %s", got)
	}

	s := config.Defaults(p.home)
	s.Embeddings.Provider, s.Embeddings.Model = "openai", "text-embedding-3-small"
	if far, err := setup.Embeddings(s); err == nil || far != nil {
		t.Errorf("without a key: %v, %v", far, err)
	}
	t.Setenv("OPENAI_API_KEY", "sk-of-the-test")
	if far, err := setup.Embeddings(s); err != nil || far == nil || far.Batch != 128 {
		t.Errorf("with a key: %+v, %v", far, err)
	}
}
