package eval

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoad(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"a.jsonl": `{"id": "1", "query": "where", "category": "prose", "language": "go", "repo": "r", "relevant": ["x.go", {"path": "y.go", "name": "F"}]}

{"id": "2", "query": "blorf"}
`,
		"b.jsonl":                    `{"id": "3", "query": "f", "set": "names", "lang": "c", "answers": [{"path": "z.c", "start_line": 3, "end_line": 4, "name": "f"}]}`,
		"bench/repos.json":           `[{"name": "one", "language": "lua", "benchmark_root": "src"}, {"name": "two", "language": "go"}]`,
		"bench/annotations/one.json": `[{"query": "how", "category": "symbol", "relevant": ["src/a.lua"], "secondary": [{"path": "b.lua", "start_line": 1, "end_line": 2}]}]`,
	})
	got, err := Load(filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl"), filepath.Join(dir, "bench"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Query{
		{ID: "1", Query: "where", Category: "prose", Language: "go", Repo: "r", Relevant: []Target{{Path: "x.go"}, {Path: "y.go", Name: "F"}}},
		{ID: "2", Query: "blorf"},
		{ID: "3", Query: "f", Category: "names", Language: "c", Relevant: []Target{{Path: "z.c", StartLine: 3, EndLine: 4, MaxLines: 16}}},
		{ID: "one-0", Query: "how", Category: "symbol", Language: "lua", Repo: "one", Root: "src",
			Relevant: []Target{{Path: "src/a.lua"}, {Path: "b.lua", StartLine: 1, EndLine: 2}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestLoadRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no query":      "\n",
		"a.jsonl:2":     `{"id": "1", "query": "x"}` + "\n{bad\n",
		"has no id":     `{"query": "x"}`,
		"there twice":   `{"id": "1", "query": "x"}` + "\n" + `{"id": "1", "query": "y"}`,
		"leaves the fo": `{"id": "1", "query": "x", "repo": "../up"}`,
	} {
		path := filepath.Join(writeFiles(t, map[string]string{"a.jsonl": text}), "a.jsonl")
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: %v, want %q", text, err, name)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.jsonl")); err == nil {
		t.Error("a missing file was loaded")
	}
}
