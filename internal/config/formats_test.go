package config

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFormats reads the same settings from each format.
func TestFormats(t *testing.T) {
	for name, content := range map[string]string{
		"config.json": `{"search": {"limit": 7, "min_score": 1}, // mine
			"index": {"watch_paths": ["src"], /* "workers": 3, */ "projects": {"a": {"watch_paths": ["a"]}},},
		}`,
		"config.yml":  "search: {limit: 7, min_score: 1}\nindex:\n  watch_paths: [src]\n  projects:\n    a: {watch_paths: [a]}\n",
		"config.yaml": "# a remark\nsearch:\n  limit: 7\n  min_score: 1.0\nindex:\n  watch_paths:\n    - src\n  projects:\n    a:\n      watch_paths: [a]\n",
		"config.toml": "[search]\nlimit = 7\nmin_score = 1\n[index]\nwatch_paths = ['src']\n[index.projects.a]\nwatch_paths = ['a']\n",
	} {
		w := newWorld(t)
		path := w.write(w.home, name, content)
		s, warnings := w.load(w.options())
		if s.Search.Limit != 7 || s.Search.MinScore != 1 || !slices.Equal(s.Index.WatchPaths, []string{"src"}) ||
			!slices.Equal(s.Index.Projects["a"].WatchPaths, []string{"a"}) || s.Origin("search.limit") != path || len(warnings) > 0 {
			t.Errorf("%s: search %+v, index %+v, warnings %v", name, s.Search, s.Index, warnings)
		}
	}
}

func TestMalformedFormats(t *testing.T) {
	for name, test := range map[string]struct{ content, want string }{
		"config.yml":  {"search:\n\tlimit: 7\n", "Must be a YAML object: line 2: found character that cannot start any token"},
		"config.yaml": {"- a\n- b\n", "Must be a YAML object: it is not a mapping of keys to values"},
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
		"config.yaml": "a: 1\n---\nb: 2\n", "config.yml": "a: &a [*a]\n", "config.toml": strings.Repeat("[", 1<<17),
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

// TestNestingIsBounded: a small file can't keep a command busy, whatever its format.
func TestNestingIsBounded(t *testing.T) {
	const half = MaxFile / 2
	for name, contents := range map[string][]string{
		"config.json": {strings.Repeat("[", half), strings.Repeat(`{"a":`, half/5), `{"` + strings.Repeat("a.", half) + `": 1}`},
		"config.yml": {
			strings.Repeat("[", half), strings.Repeat("{a: ", half/4), strings.Repeat("- ", half/2), strings.Repeat("a.", half) + ": 1", strings.Repeat("a: 1\n", half/5),
			"a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\n" +
				"e: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f]\nh: [*g,*g,*g,*g,*g,*g,*g,*g]\n",
		},
		"config.toml": {
			strings.Repeat("a.", half/2) + "a = 1", "[" + strings.Repeat("a.", half/2) + "a]\nb = 1", "a = " + strings.Repeat("{a = ", half/5),
			strings.Repeat(strings.Repeat("a.", 60)+"a = 1\n", half/130),
		},
	} {
		for i, content := range contents {
			w := newWorld(t)
			w.write(w.home, name, content)
			began := time.Now()
			_, warnings, err := Load(w.options())
			if took := time.Since(began); took > 20*time.Second || err == nil && len(warnings) == 0 {
				t.Errorf("%s %d: %v after %v", name, i, err, took)
			}
			if err != nil && len(err.Error()) > 1000 {
				t.Errorf("%s %d: an error of %d bytes", name, i, len(err.Error()))
			}
			for _, w := range warnings {
				if len(w.Key) > 200 {
					t.Errorf("%s %d: a key of %d bytes is quoted", name, i, len(w.Key))
				}
			}
		}
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
  - http.port: Must be a whole number in [0, 65535] (got "${PORT}"); using 9090
  - llm.headers: Must name a variable of the environment that is set, or write ${TEAM:-otherwise} (got {"X":"a ${TEAM} b"}); using {}`
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
		"{\"search\": {\"limit\": 5,\n  \"limit\": 6}}":                         `line 2, column 3: the key "limit" appears twice`,
		`{"search": {"limit": 5}, "search": {"semantic": false}}`:               `line 1, column 26: the key "search" appears twice`,
		`{"index": {"projects": {"a": {"watch_paths": ["x"]}, "a": {}}}}`:       `the key "a" appears twice`,
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
	for given, want := range map[string]string{"serach": "search", "search.limt": "search.limit", "cost_budgets.hard": "cost_budgets.hard_limit_usd", "nothing_like_it": ""} {
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
