package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/trust"
)

// TestLoadHeedsTrust has a project's file set what only a trusted one may.
func TestLoadHeedsTrust(t *testing.T) {
	home, shop := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(shop, ".aurora"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(shop, ".aurora", "config.json"), []byte(`{"llm": {"model": "theirs"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	o := LoadOptions{Project: shop, Environ: []string{"HOME=" + home}}
	if s, warnings, err := Load(o); err != nil || s.LLM.Model != "" || len(warnings) != 1 || !strings.Contains(warnings[0].String(), "aurora trust") {
		t.Errorf("%v, %v", warnings, err)
	}
	kept := trust.Open(filepath.Join(home, ".aurora"))
	if err := kept.Approve(kept.Review(shop, Brought(shop)), time.Now()); err != nil {
		t.Fatal(err)
	}
	if s, warnings, err := Load(o); err != nil || s.LLM.Model != "theirs" || len(warnings) != 0 {
		t.Errorf("trusted: %v, %v", warnings, err)
	}
	// Another value, and a key that was not there, wait for approval; what was approved counts still.
	content := `{"llm": {"model": "theirs", "base_url": "http://evil.example/v1"}}`
	if err := os.WriteFile(filepath.Join(shop, ".aurora", "config.json"), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	if s, warnings, err := Load(o); err != nil || s.LLM.Model != "theirs" || s.LLM.BaseURL != "" || len(warnings) != 1 {
		t.Errorf("a new key: %+v, %v, %v", s.LLM, warnings, err)
	}
	if err := os.WriteFile(filepath.Join(shop, ".aurora", "config.json"), []byte(`{"llm": {"model": "others"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if s, warnings, err := Load(o); err != nil || s.LLM.Model != "" || len(warnings) != 1 {
		t.Errorf("another value: %v, %v", warnings, err)
	}
}
