package config

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestFormats reads the same settings from each format.
func TestFormats(t *testing.T) {
	for name, content := range map[string]string{
		"config.json": `{"version": "1.0", "search": {"limit": 7, "bm25": {"k1": 1}}, "index": {"watch_paths": ["src"], "projects": {"a": {"watch_paths": ["a"]}}}}`,
		"config.yml":  "version: 1.0\nsearch: {limit: 7, bm25: {k1: 1}}\nindex:\n  watch_paths: [src]\n  projects:\n    a: {watch_paths: [a]}\n",
		"config.yaml": "# a remark\nsearch:\n  limit: 7\n  bm25:\n    k1: 1.0\nindex:\n  watch_paths:\n    - src\n  projects:\n    a:\n      watch_paths: [a]\n",
		"config.toml": "[search]\nlimit = 7\nbm25.k1 = 1\n[index]\nwatch_paths = ['src']\n[index.projects.a]\nwatch_paths = ['a']\n",
	} {
		w := newWorld(t)
		path := w.write(w.home, name, content)
		s, warnings := w.load(w.options())
		if s.Search.Limit != 7 || s.Search.BM25.K1 != 1 || !slices.Equal(s.Index.WatchPaths, []string{"src"}) ||
			!slices.Equal(s.Index.Projects["a"].WatchPaths, []string{"a"}) || s.Origin("search.limit") != path || len(warnings) > 0 {
			t.Errorf("%s: search %+v, index %+v, warnings %v", name, s.Search, s.Index, warnings)
		}
	}
}

func TestMalformedFormats(t *testing.T) {
	for name, test := range map[string]struct{ content, want string }{
		"config.yml":  {"search:\n\tlimit: 7\n", "Must be a YAML object: line 2: found character that cannot start any token"},
		"config.yaml": {"- a\n- b\n", "Must be a YAML object: it is no mapping of keys to values"},
		"config.toml": {"[search]\nlimit = \n", "Must be a TOML object: line 2, column "},
	} {
		w := newWorld(t)
		w.write(w.home, name, test.content)
		s, _, err := Load(w.options())
		if err == nil || !strings.Contains(err.Error(), "Invalid config in ~/.aurora/"+name+":\n  - "+test.want) || s.Search.Limit != 10 {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	for name, content := range map[string]string{
		"config.yaml": "a: 1\n---\nb: 2\n", "config.yml": "a: &a [*a]\n", "config.toml": strings.Repeat("[", 1<<18),
	} {
		w := newWorld(t)
		w.write(w.home, name, content)
		if s, _, err := Load(w.options()); err == nil || s == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestTwoFilesInOneFolder(t *testing.T) {
	w := newWorld(t)
	w.write(w.home, "config.json", `{"search": {"limit": 7}}`)
	w.write(w.home, "config.yml", "search: {limit: 8}")
	s, _, err := Load(w.options())
	if want := "Invalid config in ~/.aurora/config.yml:\n  - Must not stand beside config.json: put all settings into one of them"; err == nil || err.Error() != want {
		t.Errorf("error %v\nwant %s", err, want)
	}
	if s.Search.Limit != 7 {
		t.Errorf("limit %d", s.Search.Limit)
	}
}

// TestConfigErrorOfWeights has the error block as it was specified (CFG-041).
func TestConfigErrorOfWeights(t *testing.T) {
	w := newWorld(t)
	w.write(w.home, "config.yml", "search:\n  bm25:\n    k1: -1.5\n  hybrid:\n    stage1_top_k: 9\n    stage2_weights:\n      semantic: 0.2\n      activation: 0.5\n")
	s, _, err := Load(w.options())
	want := `Invalid config in ~/.aurora/config.yml:
  - search.bm25.k1: Must be ≥ 0.0 (got -1.5)
  - search.hybrid.stage1_top_k: Must be a whole number in [10, 10000] (got 9)
  - search.hybrid.stage2_weights: Must sum to 1.0 (got 0.7)`
	if err == nil || err.Error() != want {
		t.Errorf("error\n%v\nwant\n%s", err, want)
	}
	if s.Search.Hybrid.Stage2Weights != (Stage2Weights{0.5, 0.5}) {
		t.Errorf("weights %+v", s.Search.Hybrid)
	}
	// Half from one layer and half from another is what counts, and both may be changed at once.
	w = newWorld(t)
	w.write(w.home, "config.yml", "search: {hybrid: {stage2_weights: {semantic: 1.2, activation: 0.3}}}")
	if _, _, err := Load(w.options("AURORA_SEARCH_HYBRID_STAGE2_WEIGHTS_SEMANTIC=0.7")); err == nil || !strings.Contains(err.Error(), "Must be in [0.0, 1.0] (got 1.2)") {
		t.Errorf("error %v", err)
	}
	w = newWorld(t)
	w.write(w.home, "config.yml", "search: {hybrid: {stage2_weights: {activation: 0.3}}}")
	if s, _ := w.load(w.options("AURORA_SEARCH_HYBRID_STAGE2_WEIGHTS_SEMANTIC=0.7")); s.Search.Hybrid.Stage2Weights != (Stage2Weights{0.7, 0.3}) {
		t.Errorf("weights %+v", s.Search.Hybrid)
	}
}

func TestSubstitution(t *testing.T) {
	w := newWorld(t)
	w.write(w.home, "config.toml", `
[http]
port = "${PORT}"
host = "${HOST:-localhost}"
[index]
watch_paths = ["${DIR}/src", "$${DIR}", "plain$"]
[llm.headers]
X = "a ${TEAM} b"
`)
	s, _ := w.load(w.options("PORT=1234", "DIR=lib", "TEAM=red"))
	if s.HTTP.Port != 1234 || s.HTTP.Host != "localhost" || s.LLM.Headers["X"] != "a red b" ||
		!reflect.DeepEqual(s.Index.WatchPaths, []string{"lib/src", "${DIR}", "plain$"}) {
		t.Errorf("settings %+v %+v %+v", s.HTTP, s.Index.WatchPaths, s.LLM.Headers)
	}
	_, _, err := Load(w.options("PORT=many", "DIR=lib"))
	want := `Invalid config in ~/.aurora/config.toml:
  - http.port: Must be a whole number in [0, 65535] (got "${PORT}")
  - llm.headers: Must name a variable of the environment that is set, or write ${TEAM:-otherwise} (got {"X":"a ${TEAM} b"})`
	if err == nil || err.Error() != want {
		t.Errorf("error\n%v\nwant\n%s", err, want)
	}
}

func TestNamedFile(t *testing.T) {
	w := newWorld(t)
	w.write(w.home, "config.json", `{"search": {"limit": 7}}`)
	path := w.write(w.project, "other.yml", "search: {limit: 9}\nllm: {base_url: 'http://localhost:1/v1'}")
	o := w.options(FileVariable + "=" + path)
	if s, _ := w.load(o); s.Search.Limit != 9 || s.LLM.BaseURL == "" || s.Origin("search.limit") != path {
		t.Errorf("settings %+v %+v", s.Search, s.LLM)
	}
	o.Environ = append(o.Environ, "AURORA_SEARCH_LIMIT=11")
	if s, _ := w.load(o); s.Search.Limit != 11 {
		t.Errorf("limit %d", s.Search.Limit)
	}
	for path, want := range map[string]string{
		filepath.Join(w.home, "no.json"): "Must be there: no such file", filepath.Join(w.home, "settings"): "Must end with .json, .yml, .yaml or .toml",
	} {
		if _, _, err := Load(w.options(FileVariable + "=" + path)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestDuplicateKeys: of two objects with one name the first would be lost without a word.
func TestDuplicateKeys(t *testing.T) {
	for content, want := range map[string]string{
		"{\"search\": {\"limit\": 5,\n  \"limit\": 6}}":                         `line 2, column 9: the key "limit" stands there twice`,
		`{"search": {"limit": 5}, "search": {"semantic": false}}`:               `line 1, column 33: the key "search" stands there twice`,
		`{"index": {"projects": {"a": {"watch_paths": ["x"]}, "a": {}}}}`:       `the key "a" stands there twice`,
		`{"search": {"limit": 5}, "memory": {"limit": 6}, "x": [{"limit": 1}]}`: "",
		`{"index": {"ignore_patterns": ["a", "a"]}, "a": "a"}`:                  "",
	} {
		w := newWorld(t)
		w.write(w.home, "config.json", content)
		if _, _, err := Load(w.options()); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", content, err, want)
		}
	}
}

// TestNearestNames: groups are guessed, too, and names that were not written out.
func TestNearestNames(t *testing.T) {
	for given, want := range map[string]string{"serach": "search", "search.limt": "search.limit", "scoring.pass": "scoring.pass_threshold", "nothing_like_it": ""} {
		if got := Nearest(given); got != want {
			t.Errorf("%s: %q, want %q", given, got, want)
		}
	}
}

// TestFoldersAreNoFiles says so in plain words, without the path twice.
func TestFoldersAreNoFiles(t *testing.T) {
	w := newWorld(t)
	w.write(w.home, "config.json/x", "")
	if _, _, err := Load(w.options()); err == nil || err.Error() != "Invalid config in ~/.aurora/config.json:\n  - Can't be read: it is a folder, not a file" {
		t.Errorf("error %v", err)
	}
}
