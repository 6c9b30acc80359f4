package config

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

func TestKeysAreDescribed(t *testing.T) {
	infos := Keys()
	if len(infos) != len(keys) {
		t.Fatalf("%d of %d keys", len(infos), len(keys))
	}
	for _, info := range infos {
		if len(info.Doc) < 10 || !strings.HasSuffix(info.Doc, ".") {
			t.Errorf("%s has no doc comment of a sentence: %q", info.Name, info.Doc)
		}
		if info.Rule == "" || info.Default == nil {
			t.Errorf("%s: rule %q, default %v", info.Name, info.Rule, info.Default)
		}
	}
	info, ok := Describe("cost_budgets.soft_limit_usd")
	if !ok || info.Type != "number" || info.Rule != "a number ≥ 0.0" || info.Default != 100.0 || info.Env != "AURORA_COST_BUDGETS_SOFT_LIMIT_USD" {
		t.Errorf("%+v", info)
	}
	if _, ok := Describe("search.providers"); ok || !IsGroup("search.providers") {
		t.Error("a group is a key")
	}
}

// The settings are few enough to read, and those on the settings page of VS Code few enough to choose from. The extension
// has 9 of its own there.
func TestSettingsAreFew(t *testing.T) {
	const most, mostOnPage, ofExtension = 121, 40, 9 // 120, and the address of a team's search server
	page := ofExtension
	for _, info := range Keys() {
		if info.OnPage {
			page++
		}
	}
	if n := len(keys); n > most || n < 80 {
		t.Errorf("%d settings, at most %d", n, most)
	}
	if page > mostOnPage || page < 25 {
		t.Errorf("%d settings on VS Code's page, at most %d", page, mostOnPage)
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		key, text string
		want      any
	}{
		{"search.limit", "20", 20.0}, {"search.min_score", "0.5", 0.5}, {"index.watcher.enabled", "false", false},
		{"index.ignore_patterns", "a, b", []any{"a", "b"}}, {"index.ignore_patterns", `["x, y"]`, []any{"x, y"}},
		{"index.ignore_patterns", "", []any{}}, {"logging.level", "DEBUG", "debug"}, {"memory.database_path", "~/m.db", "~/m.db"},
		{"lsp.documentSymbol", "true", true},
		{"index.ignore_patterns", "[ab]*.go, x", []any{"[ab]*.go", "x"}}, {"llm.prices", "a=1/2, b = 3/4", map[string]any{"a": "1/2", "b": "3/4"}},
		{"llm.prices", `{"a": "1/2"}`, map[string]any{"a": "1/2"}}, {"index.projects", `{"web": {}}`, map[string]any{"web": map[string]any{}}},
	} {
		got, err := Parse(tt.key, tt.text)
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(tt.want)
		if err != nil || string(a) != string(b) {
			t.Errorf("%s = %s: %s, %v", tt.key, tt.text, a, err)
		}
	}
	for _, tt := range []struct{ key, text, says string }{
		{"cost_budgets.hard_limit_usd", "-1.5", "cost_budgets.hard_limit_usd: Must be ≥ 0.0 (got -1.5)"},
		{"search.min_score", "-1", "Must be in [0.0, 1.0] (got -1)"}, {"search.min_score", "NaN", "Must be a number"},
		{"search.limit", "many", `Must be a whole number in [1, 1000] (got "many")`},
		{"search.limit", "", "Must be a whole number"}, {"logging.level", "loud", "Must be one of debug"},
		{"memory.database_path", "m.db", "Must be an absolute path"}, {"index.ignore_patterns", `["", 1]`, "Must be a list of strings"},
		{"llm.provider", "nobody", "Must be empty or one of openai"}, {"llm.prices", "a", "Must be an object of strings"},
		{"llm.headers", `{"X": 1}`, "Must be an object of strings"}, {"index.projects", "web=src", "Must be an object { }"},
		{"index.watcher.enabled", "maybe", "Must be true or false"}, {"no.such", "1", "no key"},
	} {
		if got, err := Parse(tt.key, tt.text); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s = %s: %v, %v", tt.key, tt.text, got, err)
		}
	}
}

// What the schema allows is what Load allows.
func TestSchemaAgreesWithLoad(t *testing.T) {
	encoded, err := json.Marshal(Schema())
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(encoded, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{
		`{}`, `{"$schema": "x", "search": {"limit": 5, "min_score": 1}}`, `{"version": "1.0"}`, `{"search": {"bm25": {"k1": 1}}}`, `{"search": {"limit": 0}}`,
		`{"search": {"limit": 1001}}`, `{"search": {"limit": 1.5}}`, `{"search": {"min_score": -1.5}}`, `{"search": 3}`,
		`{"logging": {"level": "debug"}}`, `{"logging": {"level": "loud"}}`, `{"index": {"ignore_patterns": ["a"]}}`,
		`{"index": {"ignore_patterns": [""]}}`, `{"index": {"ignore_patterns": "a"}}`, `{"serch": {}}`,
		`{"index": {"watcher": {"enabled": "yes"}}}`, `{"index": {"projects": {"web": {"watch_paths": ["src"]}}}}`,
		`{"llm": {"headers": {"X-Team": "a"}, "provider": ""}}`, `{"llm": {"headers": {"X-Team": 1}}}`, `{"llm": {"headers": {"": "a"}}}`,
		`{"llm": {"headers": {"X-Team": "a\r\nX: b"}}}`, `{"llm": {"headers": ["a"]}}`, `{"llm": {"provider": "nobody"}}`,
		`{"index": {"projects": {"web": {"watch_paths": "src"}}}}`, `{"index": {"projects": {"web": {"path": 1}}}}`,
	} {
		w := newWorld(t)
		w.write(w.home, "config.json", file)
		_, warnings, err := Load(w.options())
		var value any
		if err := json.Unmarshal([]byte(file), &value); err != nil {
			t.Fatal(err)
		}
		loads, valid := err == nil && len(warnings) == 0, resolved.Validate(value) == nil
		if loads != valid {
			t.Errorf("%s: loads %t (%v %v), valid %t (%v)", file, loads, err, warnings, valid, resolved.Validate(value))
		}
	}
}

func TestNearest(t *testing.T) {
	if near := Nearest("search.limt"); near != "search.limit" {
		t.Errorf("near %q", near)
	}
	var groups []string
	for _, info := range Keys() {
		group := info.Name[:strings.LastIndexByte(info.Name, '.')]
		if len(groups) > 0 && groups[len(groups)-1] == group {
			continue
		}
		if slices.Contains(groups, group) {
			t.Errorf("the keys of %s do not stand together", group)
		}
		groups = append(groups, group)
	}
}
