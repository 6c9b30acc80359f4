package setup

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/config"
)

// TestEverySettingIsPassedOn sets each key of the index by itself: it must change the rules of a folder, or be one of
// those that count at the start alone.
func TestEverySettingIsPassedOn(t *testing.T) {
	atStart := []string{"index.workers", "index.cache_max_mb", "index.watcher.enabled", "index.bootstrap.show_progress"}
	home := t.TempDir()
	load := func(client map[string]any) *config.Settings {
		t.Helper()
		s, warnings, err := config.Load(config.LoadOptions{Environ: []string{"HOME=" + home}, Client: client})
		if err != nil || len(warnings) > 0 {
			t.Fatalf("%v: %v, %v", client, err, warnings)
		}
		return s
	}
	const folder = "/home/ann/shop"
	usual := Rules(load(nil), folder)
	if usual.Off != "" || usual.KeepSecrets || usual.NoFirstScan || usual.Files.MaxSize != 5<<20 {
		t.Errorf("rules without settings: %+v", usual)
	}
	seen := 0
	for _, k := range config.Keys() {
		if !strings.HasPrefix(k.Name, "index.") && !strings.HasPrefix(k.Name, "security.") {
			continue
		}
		seen++
		var value any
		switch {
		case k.Name == "index.projects":
			value = map[string]any{"web": map[string]any{"watch_paths": []any{"web"}}}
		case k.Type == "boolean":
			value = k.Default == false
		case k.Type == "array":
			value = []any{folder}
			if strings.Contains(k.Rule, "extensions") {
				value = []any{".zig"}
			}
		default:
			value = 50.0
		}
		changed := !reflect.DeepEqual(Rules(load(map[string]any{k.Name: value}), folder), usual)
		if changed == slices.Contains(atStart, k.Name) {
			t.Errorf("%s = %v: the rules change %v", k.Name, value, changed)
		}
	}
	if seen < 15 {
		t.Errorf("only %d keys", seen)
	}
}

func TestWhyOff(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"big/inner", "bigger"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := config.Defaults("")
	s.Index.DisabledFolders = []string{filepath.Join(base, "big") + "/"}
	for folder, want := range map[string]bool{"big": true, "big/inner": true, "bigger": false, ".": false} {
		if why := WhyOff(s, filepath.Join(base, folder)); (why != "") != want || want && !strings.Contains(why, "index.disabled_folders") {
			t.Errorf("%s: %q", folder, why)
		}
	}
	if why := WhyOff(s, ""); why != "" {
		t.Errorf("outside of all folders: %q", why)
	}
	s.Index.Enabled = false
	if why := WhyOff(s, ""); !strings.Contains(why, "set it to true") {
		t.Errorf("off: %q", why)
	}
}
