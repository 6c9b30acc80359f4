package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// leaves are the dotted names and values of a decoded file, down to the keys that are known.
func leaves(prefix string, values map[string]any, out map[string]any) map[string]any {
	for name, value := range values {
		name = prefix + name
		inner, nested := value.(map[string]any)
		_, known := find(name)
		if nested && !known && settled[name] == nil {
			leaves(name+".", inner, out)
			continue
		}
		out[name] = value
	}
	return out
}

// nest is the file that holds one leaf.
func nest(name string, value any) map[string]any {
	first, rest, deeper := strings.Cut(name, ".")
	if !deeper {
		return map[string]any{first: value}
	}
	return map[string]any{first: nest(rest, value)}
}

// other is a value of the same type.
func other(v any) any {
	switch v := v.(type) {
	case string:
		return v + "x"
	case bool:
		return !v
	case float64:
		return v + 1
	case int64:
		return v + 1
	case []any:
		return append([]any{"x"}, v...)
	}
	return v
}

// TestOlderLayoutsAreReadWhole takes every key of the files of earlier layouts: each is set, says what AURORA does anyway,
// or is told to have no effect.
func TestOlderLayoutsAreReadWhole(t *testing.T) {
	keysSeen := 0
	for name, decode := range map[string]decoder{
		"config.json": decodeJSON, "config.yml": decodeYAML, "aura.config.json": decodeJSON, "context.toml": decodeTOML,
	} {
		data, err := os.ReadFile(filepath.Join("testdata", "older", name))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := decode(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for leaf, value := range leaves("", whole, map[string]any{}) {
			keysSeen++
			if leaf == "version" || value == nil {
				continue
			}
			w := newWorld(t)
			o := w.options()
			l := newLoader(o)
			l.layer(layer{source: name, values: nest(leaf, value), file: true})
			if len(l.problems) > 0 {
				t.Errorf("%s: %s: %v", name, leaf, l.problems)
			}
			k, known := find(leaf)
			switch f := settled[leaf]; {
			case known:
				if l.settings.Origin(k.name) != name {
					t.Errorf("%s: %s has no effect", name, leaf)
				}
				if (leaf != k.name) != (len(l.warnings) == 1 && l.warnings[0].Message == "is now called "+k.name) {
					t.Errorf("%s: %s: warnings %v", name, leaf, l.warnings)
				}
			case f == nil:
				t.Errorf("%s: %s is not known: %v", name, leaf, l.warnings)
			case f.always == "": // a remark
			default:
				for _, v := range []any{value, other(value)} {
					l := newLoader(o)
					l.layer(layer{source: name, values: nest(leaf, v), file: true})
					does := f.always != nil && same(v, f.always)
					if does != (len(l.warnings) == 0) || !does && l.warnings[0].Message != "has no effect: "+f.why {
						t.Errorf("%s: %s: %v: %v", name, leaf, v, l.warnings)
					}
				}
			}
		}
	}
	if keysSeen < 200 {
		t.Errorf("only %d keys seen", keysSeen)
	}
}

// TestOlderFiles loads all of them from their places.
func TestOlderFiles(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"config.json", "aura.config.json", "context.toml"} {
		data, err := os.ReadFile(filepath.Join("testdata", "older", name))
		if err != nil {
			t.Fatal(err)
		}
		w.write(w.home, name, string(data))
	}
	w.write(w.project, "context.toml", "[context.watcher]\ndebounce_ms = 250\n[context.indexing]\nmax_file_size_mb = 7")
	w.write(w.project, "config.toml", "[index]\nmax_file_size_mb = 8")
	s, warnings, err := Load(w.options())
	if err != nil {
		t.Fatal(err)
	}
	if s.Index.DebounceMs != 250 || s.Index.MaxFileSizeMB != 8 || s.LLM.Model != "claude-sonnet-4.5" || s.Search.MinScore != 0.3 || s.Search.ContextTokens != 1500 ||
		s.Logging.File != filepath.Join(w.home, ".aurora", "logs", "aurora.log") || s.Memory.Lifespan.Policies["high_usage"].Condition != "access_count > 10" {
		t.Errorf("settings %+v", s)
	}
	for _, w := range warnings {
		if strings.Contains(w.Message, "unknown") {
			t.Error(w)
		}
	}
	brief := Brief(warnings)
	if len(brief) > 6 || !strings.Contains(strings.Join(brief, "\n"), "keys of an older layout; see: aurora config validate") {
		t.Errorf("brief %q", brief)
	}
}

// TestNewerNameWins has a key under two names in one file.
func TestNewerNameWins(t *testing.T) {
	w := newWorld(t)
	w.write(w.home, "config.json", `{"search": {"limit": 7}, "context": {"query": {"default_k": 9}}, "memory_modes": {"explicit_recall": {"max_results": 8}}}`)
	if s, _ := w.load(w.options()); s.Search.Limit != 7 {
		t.Errorf("limit %d", s.Search.Limit)
	}
	w.write(w.home, "config.json", `{"context": {"query": {"default_k": 0}}}`)
	if _, _, err := Load(w.options()); err == nil || !strings.Contains(err.Error(), "  - context.query.default_k: Must be a whole number in [1, 1000] (got 0)") {
		t.Errorf("error %v", err)
	}
}

func TestVersion(t *testing.T) {
	for given, want := range map[string]int{`"1.0"`: 0, `1`: 0, `1.0`: 0, `"2.0"`: 1, `[]`: 1} {
		w := newWorld(t)
		w.write(w.home, "config.json", `{"version": `+given+`}`)
		if _, warnings := w.load(w.options()); len(warnings) != want {
			t.Errorf("%s: %v", given, warnings)
		}
	}
}

func TestSettledKeysAreNoKeys(t *testing.T) {
	for name := range settled {
		if _, known := find(name); known {
			t.Errorf("%s is a key", name)
		}
	}
	if reflect.ValueOf(settled).Len() < 40 {
		t.Error("settled keys are missing")
	}
}
