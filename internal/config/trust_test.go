package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTrust holds that trust is for one folder, is kept, can be withdrawn, and is nobody's when its file is damaged.
func TestTrust(t *testing.T) {
	home, shop := t.TempDir(), t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(shop, link); err != nil {
		t.Fatal(err)
	}
	trust := OpenTrust(home)
	if trust.Trusted(shop) {
		t.Error("trusted from the start")
	}
	for range 2 {
		if _, err := trust.Set(link, true, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := trust.List(); len(list) != 1 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	if !OpenTrust(home).Trusted(shop) || !trust.Trusted(link) || trust.Trusted(filepath.Join(shop, "vendor")) || trust.Trusted(filepath.Dir(shop)) {
		t.Error("just the folder is trusted")
	}
	if info, err := os.Stat(filepath.Join(home, "trusted.json")); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info, err)
	}
	if changed, err := trust.Set(shop, false, time.Now()); !changed || err != nil || trust.Trusted(shop) {
		t.Errorf("withdrawn: %v, %v", changed, err)
	}
	if err := os.WriteFile(filepath.Join(home, "trusted.json"), []byte(`{"folders": [{"path": "`+shop+`"`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := trust.Set(shop, true, time.Now()); err == nil || !strings.Contains(err.Error(), "damaged") || trust.Trusted(shop) {
		t.Errorf("damaged: %v", err)
	}
	if _, err := OpenTrust("").Set(shop, true, time.Now()); err == nil {
		t.Error("trust without a home")
	}
}

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
	if _, err := OpenTrust(filepath.Join(home, ".aurora")).Set(shop, true, time.Now()); err != nil {
		t.Fatal(err)
	}
	if s, warnings, err := Load(o); err != nil || s.LLM.Model != "theirs" || len(warnings) != 0 {
		t.Errorf("trusted: %v, %v", warnings, err)
	}
}
