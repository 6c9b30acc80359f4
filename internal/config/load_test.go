package config

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// world is a home and a project in temporary folders.
type world struct {
	*testing.T
	home, project string
}

func newWorld(t *testing.T) world { return world{t, t.TempDir(), t.TempDir()} }

func (w world) write(folder, name, content string) string {
	w.Helper()
	path := filepath.Join(folder, ".aurora", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.Fatal(err)
	}
	return path
}

func (w world) options(environ ...string) LoadOptions {
	return LoadOptions{Project: w.project, Environ: append([]string{"HOME=" + w.home}, environ...)}
}

func (w world) load(o LoadOptions) (*Settings, []Warning) {
	w.Helper()
	s, warnings, err := Load(o)
	if err != nil {
		w.Fatalf("load: %v", err)
	}
	return s, warnings
}

func TestDefaults(t *testing.T) {
	w := newWorld(t)
	s, warnings := w.load(w.options())
	if len(warnings) > 0 {
		t.Errorf("warnings %v", warnings)
	}
	if want := Defaults(filepath.Join(w.home, ".aurora")); !reflect.DeepEqual(s, want) {
		t.Errorf("settings %+v\nwant %+v", s, want)
	}
	if s.Memory.DatabasePath != filepath.Join(w.home, ".aurora", "memory.db") {
		t.Errorf("database %s", s.Memory.DatabasePath)
	}
	for name, k := range keys { // every default keeps its own rule
		value := reflect.ValueOf(s).Elem().FieldByIndex(k.index).Interface()
		var decoded any
		b, err := json.Marshal(value)
		if err == nil {
			err = json.Unmarshal(b, &decoded)
		}
		if _, rule := k.convert(decoded, false, os.LookupEnv); rule != "" || err != nil {
			t.Errorf("default of %s: %s, %v", name, rule, err)
		}
		if s.Origin(name) != "default" {
			t.Errorf("origin of %s: %s", name, s.Origin(name))
		}
	}
}

func TestLayers(t *testing.T) {
	w := newWorld(t)
	o := w.options()
	expect := func(want int, origin string) {
		t.Helper()
		s, _ := w.load(o)
		if s.Search.Limit != want || s.Origin("search.limit") != origin {
			t.Errorf("limit %d from %s, want %d from %s", s.Search.Limit, s.Origin("search.limit"), want, origin)
		}
	}
	expect(10, "default")
	expect(11, w.write(w.home, "config.json", "\xEF\xBB\xBF"+`{"search": {"limit": 11, "min_score": 0.5}}`))
	expect(12, w.write(w.project, "config.json", `{"search": {"limit": 12}}`))
	o.Environ = append(o.Environ, "AURORA_SEARCH_LIMIT=13", "AURORA_INDEX_IGNORE_PATTERNS=*.log, tmp/", "AURORA_INDEX_WATCHER_ENABLED=false")
	expect(13, "AURORA_SEARCH_LIMIT")
	o.Client = map[string]any{"search": map[string]any{"limit": 14}, "lsp": map[string]any{"documentSymbol": true}, "index.workers": 3}
	expect(14, "editor")
	o.Flags = map[string]string{"search.limit": "15"}
	expect(15, "flag")

	s, warnings := w.load(o)
	if len(warnings) > 0 {
		t.Errorf("warnings %v", warnings)
	}
	if s.Search.MinScore != 0.5 || s.Search.ContextTokens != 4000 || !s.LSP.DocumentSymbol || s.Index.Workers != 3 || s.Index.Watcher.Enabled {
		t.Errorf("settings %+v", s)
	}
	if !reflect.DeepEqual(s.Index.IgnorePatterns, []string{"*.log", "tmp/"}) {
		t.Errorf("ignore patterns %q", s.Index.IgnorePatterns)
	}
}

func TestBadValuesAreListed(t *testing.T) {
	w := newWorld(t)
	w.write(w.home, "config.json", `{
		"search": {"min_score": -1.5, "limit": 1.5},
		"index": {"watcher": 1, "ignore_patterns": ["", 3], "max_file_size_mb": "5", "workers": 1e300,
			"size_exceptions": ["data/[a"], "allowed_extensions": [".go", "*.ts"], "blocked_extensions": "exe",
			"cache_max_mb": 0, "disabled_folders": ["relative"], "projects": {"web": {"watch_paths": "src"}}},
		"security": {"secret_patterns": ["("]}, "llm": {"solving_llm": {"provider": "nobody"}},
		"lsp": {"hover": {"enabled": "yes"}}, "cost_budgets": {"hard_limit_usd": -1},
		"logging": {"level": "loud"}, "memory": {"database_path": "relative.db"}, "storage": {"dir": 5}
	}`)
	s, _, err := Load(w.options("AURORA_SEARCH_LIMIT=many"))
	var bad *Error
	if !errors.As(err, &bad) {
		t.Fatalf("error %v", err)
	}
	want := strings.ReplaceAll(`Invalid config in ~/.aurora/config.json:
  - cost_budgets.hard_limit_usd: Must be ≥ 0.0 (got -1); using 500
  - index.allowed_extensions: Must be a list of file extensions such as .go (got [".go","*.ts"]); using []
  - index.blocked_extensions: Must be a list of strings that are not empty (got "exe"); using []
  - index.cache_max_mb: Must be a whole number in [16, 1048576] (got 0); using 1024
  - index.disabled_folders: Must be a list of absolute paths, or ones that begin with ~/ (got ["relative"]); using []
  - index.ignore_patterns: Must be a list of strings that are not empty (got ["",3]); using []
  - index.max_file_size_mb: Must be a whole number in [1, 1024] (got "5"); using 5
  - index.projects: web.watch_paths: Must be a list of strings that are not empty (got {"web":{"watch_paths":"src"}}); using {}
  - index.size_exceptions: Must be a list of valid globs (got ["data/[a"]); using []
  - index.watcher: Must be an object { } (got 1)
  - index.workers: Must be a whole number in [0, 256] (got 1e+300); using 0
  - llm.solving_llm.provider: Must be empty or one of openai, anthropic, ollama, vllm, llamacpp (got "nobody"); using ""
  - logging.level: Must be one of debug, info, warn, error (got "loud"); using "info"
  - lsp.hover.enabled: Must be true or false (got "yes"); using true
  - memory.database_path: Must be an absolute path, or one that begins with ~/ (got "relative.db"); using DATABASE
  - search.limit: Must be a whole number in [1, 1000] (got 1.5); using 10
  - search.min_score: Must be in [0.0, 1.0] (got -1.5); using 0
  - security.secret_patterns: Must be a list of valid regular expressions (got ["("]); using []
  - storage.dir: Must be a string (got 5); using STORAGE
Invalid config in AURORA_SEARCH_LIMIT:
  - search.limit: Must be a whole number in [1, 1000] (got "many"); using 10`, "DATABASE", show(s.Memory.DatabasePath))
	want = strings.ReplaceAll(want, "STORAGE", show(s.Storage.Dir))
	if err.Error() != want {
		t.Errorf("error\n%s\nwant\n%s", err, want)
	}
	if !reflect.DeepEqual(s, Defaults(filepath.Join(w.home, ".aurora"))) {
		t.Errorf("bad values took effect: %+v", s)
	}
}

func TestLastGoodSettingsStay(t *testing.T) {
	w := newWorld(t)
	path := w.write(w.home, "config.json", `{"search": {"limit": 20, "min_score": 0.5}}`)
	last, _ := w.load(w.options())
	w.write(w.home, "config.json", `{"search": {"limit": 30, "min_score": 7}}`)
	s, _, err := Reload(last, w.options())
	if err == nil || !strings.Contains(err.Error(), "(got 7); using 0.5") || s.Search.Limit != 30 || s.Search.MinScore != 0.5 || s.Origin("search.min_score") != path {
		t.Errorf("reload: %+v, %v", s.Search, err)
	}
	w.write(w.home, "config.json", `{"search": {"limit": 40`)
	if s, _, err := Reload(last, w.options()); err == nil || s != last {
		t.Errorf("reload of half a file: %+v, %v", s.Search, err)
	}
	w.write(w.home, "config.json", `{"search": {"limit": 30}}`)
	if s, _, err := Reload(last, w.options()); err != nil || s.Search.Limit != 30 || s.Search.MinScore != 0 {
		t.Errorf("reload: %+v, %v", s.Search, err)
	}
}

func TestUnreadableFiles(t *testing.T) {
	for name, test := range map[string]struct{ content, want string }{
		"syntax":   {"{\n  \"search\": {,}\n}", "Must be a JSON object: line 2, column 14: "},
		"cut off":  {`{"search": `, "Must be a JSON object: line 1"},
		"trailing": {`{} {}`, "Must be a JSON object: line 1, column 4"},
		"array":    {`[1]`, "Must be a JSON object: it is of type array"},
		"binary":   {"\x00\x01", "Must be a JSON object"},
		"huge":     {`{"a": "` + strings.Repeat("x", MaxFile) + `"}`, "larger than 256 KiB"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.write(w.home, "config.json", test.content)
			s, _, err := Load(w.options())
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "~/.aurora/config.json") {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if s == nil || s.Search.Limit != 10 {
				t.Errorf("settings %+v", s)
			}
		})
	}
	t.Run("folder", func(t *testing.T) {
		w := newWorld(t)
		w.write(w.home, "config.json/x", "")
		if _, _, err := Load(w.options()); err == nil || !strings.Contains(err.Error(), "not a file") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("empty", func(t *testing.T) {
		w := newWorld(t)
		w.write(w.home, "config.json", "\n")
		w.load(w.options())
	})
	t.Run("something else called .aurora", func(t *testing.T) {
		w := newWorld(t)
		if err := os.WriteFile(filepath.Join(w.project, ".aurora"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		w.load(w.options())
	})
}

func TestUnknownKeys(t *testing.T) {
	for given, want := range map[string]string{
		`{"search": {"limt": 1}}`:              "did you mean search.limit?",
		`{"search": {"Limit": 1}}`:             "did you mean search.limit?",
		`{"lsp": {"documentSymbol": true}}`:    "did you mean lsp.document_symbol?",
		`{"serach": {"limit": 1}}`:             "unknown key, ignored",
		`{"providers": {"memory": 1}}`:         "unknown key, ignored",
		`{"memory": {"path": "/x"}}`:           "unknown key, ignored",
		`{"watcher": {"enabled": true}}`:       "unknown key, ignored",
		`{"index": {"watcher": {"on": true}}}`: "unknown key, ignored",
		`{"": 1}`:                              "unknown key, ignored",
	} {
		w := newWorld(t)
		w.write(w.home, "config.json", given)
		_, warnings := w.load(w.options())
		if len(warnings) != 1 || !strings.Contains(warnings[0].String(), want) {
			t.Errorf("%s: warnings %v, want %q", given, warnings, want)
		}
	}
}

func TestMisspeltVariables(t *testing.T) {
	w := newWorld(t)
	_, warnings := w.load(w.options("AURORA_SEARCH_LIMT=3", "AURORA_LIGHTS=green", "SEARCH_LIMIT=4"))
	if len(warnings) != 1 || !strings.Contains(warnings[0].String(), "did you mean AURORA_SEARCH_LIMIT?") {
		t.Errorf("warnings %v", warnings)
	}
}

func TestProjectsMayNotSetEverything(t *testing.T) {
	const content = `{"llm": {"base_url": "https://evil.example/v1"}, "memory": {"database_path": "/tmp/x.db"},
		"storage": {"dir": "/tmp/x"}, "logging": {"file": "/tmp/x.log", "level": "debug"}, "search": {"limit": 5}}`
	w := newWorld(t)
	w.write(w.project, "config.json", content)
	s, warnings := w.load(w.options())
	if want := Defaults(filepath.Join(w.home, ".aurora")); !reflect.DeepEqual(s.LLM, want.LLM) || !reflect.DeepEqual(s.Memory, want.Memory) || s.Storage != want.Storage {
		t.Errorf("settings %+v", s)
	}
	if s.Search.Limit != 5 || s.Logging.Level != "debug" || len(warnings) != 4 {
		t.Errorf("limit %d, level %s, warnings %v", s.Search.Limit, s.Logging.Level, warnings)
	}
	o := w.options()
	o.Trusted = true
	if s, warnings := w.load(o); len(warnings) != 0 || s.LLM.BaseURL != "https://evil.example/v1" {
		t.Errorf("trusted: %+v, warnings %v", s.LLM, warnings)
	}
	// Not even a trusted project says whether memory is encrypted, or with what.
	own := newWorld(t)
	own.write(own.home, "config.json", `{"memory": {"encryption": {"enabled": true}}}`)
	own.write(own.project, "config.json", `{"memory": {"encryption": {"enabled": false, "key_source": "env", "key_env": "PATH", "key_file": "/tmp/x"}}}`)
	o = own.options()
	o.Trusted = true
	if s, warnings := own.load(o); len(warnings) != 4 || s.Memory.Encryption != (Encryption{Enabled: true, KeySource: "keyring", KeyEnv: "AURORA_MEMORY_KEY"}) {
		t.Errorf("encryption of a trusted project: %+v, warnings %v", s.Memory.Encryption, warnings)
	}
	// The user's own file is not a project's, even when the project is the home folder.
	w.write(w.home, "config.json", content)
	o = w.options()
	o.Project = w.home
	if s, warnings := w.load(o); len(warnings) != 0 || s.LLM.BaseURL == "" {
		t.Errorf("home as project: %+v, warnings %v", s.LLM, warnings)
	}
}

func TestPaths(t *testing.T) {
	w := newWorld(t)
	o := w.options("AURORA_HOME=" + w.project)
	o.Project = ""
	o.Flags = map[string]string{"storage.dir": "~/cache", "logging.file": ""}
	s, _ := w.load(o)
	if s.Memory.DatabasePath != filepath.Join(w.project, "memory.db") || s.Storage.Dir != filepath.Join(w.home, "cache") || s.Logging.File != "" {
		t.Errorf("paths %+v %+v %+v", s.Memory, s.Storage, s.Logging)
	}
	t.Setenv("AURORA_HOME", w.project)
	if home, err := Home(); err != nil || home != w.project {
		t.Errorf("home %s, %v", home, err)
	}
	t.Setenv("AURORA_HOME", "")
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	if home, err := Home(); err == nil && !filepath.IsAbs(home) {
		t.Errorf("without HOME: %s, %v", home, err)
	}
}

// TestEveryLayerSetsIndexKeys sets keys of every type from a file, the environment and an editor.
func TestEveryLayerSetsIndexKeys(t *testing.T) {
	w := newWorld(t)
	w.write(w.home, "config.json", `{"index": {"disabled_folders": ["~/big"], "allowed_extensions": ["go", ".d.ts"]}}`)
	w.write(w.project, "config.json", `{
		"index": {"enabled": false, "watch_paths": ["src"], "projects": {"backEnd": {"watchPaths": ["a/"], "ignore_patterns": ["*.gen"]}}}}`)
	o := w.options("AURORA_LOGGING_LEVEL=WARN", `AURORA_SECURITY_SECRET_PATTERNS=acme-\d+`, "AURORA_INDEX_FOLLOW_SYMLINKS=1")
	o.Client = map[string]any{"index": map[string]any{"cacheMaxMb": 32.0}, "lsp": map[string]any{"codeActions": map[string]any{"enabled": false}}}
	s, warnings := w.load(o)
	if len(warnings) > 0 {
		t.Errorf("warnings %v", warnings)
	}
	want := defaultIndex()
	want.DisabledFolders = []string{filepath.Join(w.home, "big")}
	want.AllowedExtensions = []string{"go", ".d.ts"}
	want.Enabled, want.WatchPaths = false, []string{"src"}
	want.Projects = map[string]Project{"backEnd": {WatchPaths: []string{"a/"}, IgnorePatterns: []string{"*.gen"}}}
	want.FollowSymlinks, want.CacheMaxMB = true, 32
	if !reflect.DeepEqual(s.Index, want) {
		t.Errorf("index  %+v\nwant %+v", s.Index, want)
	}
	if s.LSP.CodeActions.Enabled || s.Logging.Level != "warn" || !reflect.DeepEqual(s.Security.SecretPatterns, []string{`acme-\d+`}) {
		t.Errorf("settings %+v", s)
	}
}

// TestFormerPaths: where an earlier version kept files is known, but not from a project, nor when it was refused before.
func TestFormerPaths(t *testing.T) {
	w := newWorld(t)
	w.write(w.home, "config.json", `{"history": {"dir": "~/kept/${WHERE:-here}"}}`)
	w.write(w.project, "config.json", `{"history": {"dir": "/etc"}, "cost_budgets": {"tracking_file": "/etc/passwd"}}`)
	s, _ := w.load(w.options())
	if dir, file := s.FormerPath("history.dir"), s.FormerPath("cost_budgets.tracking_file"); dir != filepath.Join(w.home, "kept", "here") || file != "" {
		t.Errorf("%q and %q", dir, file)
	}
	s, _ = w.load(w.options("AURORA_HISTORY_DIR=relative", "AURORA_COST_BUDGETS_TRACKING_FILE=~/spent.json"))
	if dir, file := s.FormerPath("history.dir"), s.FormerPath("cost_budgets.tracking_file"); filepath.Base(dir) != "here" || file != filepath.Join(w.home, "spent.json") {
		t.Errorf("%q and %q", dir, file)
	}
}

// TestRemovedKeys: what was a setting once has no effect, and is told with what replaces it.
func TestRemovedKeys(t *testing.T) {
	w := newWorld(t)
	path := w.write(w.home, "config.json", `{"version": "1.0", "search": {"limit": 7, "bm25": {"k1": -1}, "providers": {"semantic": {"enabled": false}}},
		"llm.solving_llm.temperature": 1, "ui": {"default_search_format": "legacy"}}`)
	o := w.options("AURORA_CHUNKING_PYTHON_MAX_TOKENS=9", "AURORA_LLM_CACHE_ENTRIES=1", "AURORA_UI_COLOR=1")
	s, warnings := w.load(o)
	if s.Search.Limit != 7 || !s.Search.Semantic {
		t.Errorf("search %+v", s.Search)
	}
	got := map[string]string{}
	for _, w := range warnings {
		got[w.Source+" "+w.Key] = w.Message
		if !w.Removed {
			t.Errorf("%v", w)
		}
	}
	builtIn := "no longer a setting, ignored; a good value is built in"
	want := map[string]string{
		path + " version": builtIn, path + " search.bm25": builtIn, path + " ui": builtIn,
		path + " search.providers.semantic":          "no longer a setting, ignored; instead: search.semantic",
		path + " llm.solving_llm.temperature":        "no longer a setting, ignored; instead: llm.temperature",
		"AURORA_LLM_CACHE_ENTRIES llm.cache_entries": builtIn,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("warnings %v\nwant %v", got, want)
	}
	home := filepath.Join(w.home, ".aurora")
	first := Brief(warnings, home)
	if len(first) != 2 || !strings.Contains(strings.Join(first, "\n"), "no longer settings, ignored: llm.solving_llm.temperature, search.bm25, search.providers.semantic, ui, version.") {
		t.Errorf("told %q", first)
	}
	if again := Brief(warnings, home); len(again) != 0 {
		t.Errorf("told again: %q", again)
	}
	w.write(w.home, "config.json", `{"chunking": {}}`)
	_, warnings = w.load(w.options())
	if other := Brief(warnings, home); len(other) != 1 {
		t.Errorf("another file: %q", other)
	}
	for name := range removed {
		if _, is := keys[name]; is {
			t.Errorf("%s is a setting", name)
		}
	}
}

func TestOriginOfUnknownKey(t *testing.T) {
	if origin := Defaults("").Origin("no.such.key"); origin != "" {
		t.Errorf("origin %q", origin)
	}
}

func TestEveryKeyHasItsOwnVariable(t *testing.T) {
	seen := map[string]string{"AURORA_HOME": "the home folder"}
	for name, k := range keys {
		if other, taken := seen[k.env()]; taken {
			t.Errorf("%s and %s share %s", name, other, k.env())
		}
		seen[k.env()] = name
	}
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{`{}`, `{"search":{"min_score":1e999}}`, `{"index":null}`, `{"a":{"":[]}}`, `[[[`, "\xff", `{"search":{"Limit":3,"limit":4}}`} {
		f.Add([]byte(seed))
	}
	home := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		var client map[string]any
		_ = json.Unmarshal(data, &client) // what is no object is no settings
		s, warnings, err := Load(LoadOptions{Environ: []string{"HOME=" + home, "AURORA_SEARCH_MIN_SCORE=" + string(data)}, Client: client})
		if s == nil || s.Search.Limit < 1 || !(s.Search.MinScore >= 0) || s.Search.MinScore > 1 {
			t.Fatalf("settings %+v", s)
		}
		for _, w := range warnings {
			_ = w.String()
		}
		if err != nil && err.Error() == "" {
			t.Fatal("an error without a text")
		}
		if _, err := decodeJSON(data); err != nil && err.Error() == "" {
			t.Fatal("a decoding error without a text")
		}
	})
}
