package jsonfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestSet(t *testing.T) {
	value := map[string]any{"command": "aurora", "args": []string{"mcp"}}
	const nestedTwo = "{\n  \"servers\": {\n    \"aurora\": {\n      \"args\": [\n        \"mcp\"\n      ],\n      \"command\": \"aurora\"\n    }\n  }\n}\n"
	for name, tt := range map[string]struct{ before, after string }{
		"nothing":      {"", nestedTwo},
		"blank":        {" \n", nestedTwo},
		"empty":        {"{}", nestedTwo},
		"byte order":   {"\xEF\xBB\xBF{}\n", nestedTwo},
		"empty inside": {"{\n  \"servers\": {}\n}\n", nestedTwo},
		"tabs, a neighbour, a comment at the end": {
			"{\n\t// mine\n\t\"a\": 1 // one\n}\n",
			"{\n\t// mine\n\t\"a\": 1, // one\n\t\"servers\": {\n\t\t\"aurora\": {\n\t\t\t\"args\": [\n\t\t\t\t\"mcp\"\n\t\t\t],\n\t\t\t\"command\": \"aurora\"\n\t\t}\n\t}\n}\n",
		},
		"a neighbour and a trailing comma": {
			"{\n  \"servers\": {\n    \"other\": {\"x\": 1},\n  },\n}\n",
			"{\n  \"servers\": {\n    \"other\": {\"x\": 1},\n    \"aurora\": {\n      \"args\": [\n        \"mcp\"\n      ],\n      \"command\": \"aurora\"\n    },\n  },\n}\n",
		},
		"line ends of Windows": {
			"{\r\n  \"a\": 1\r\n}\r\n",
			"{\r\n  \"a\": 1,\r\n  \"servers\": {\r\n    \"aurora\": {\r\n      \"args\": [\r\n        \"mcp\"\r\n      ],\r\n      \"command\": \"aurora\"\r\n    }\r\n  }\r\n}\r\n",
		},
		"another value": {
			"{\"servers\": {\"aurora\": 1, /* keep */ \"b\": 2}}\n",
			"{\"servers\": {\"aurora\": {\n      \"args\": [\n        \"mcp\"\n      ],\n      \"command\": \"aurora\"\n    }, /* keep */ \"b\": 2}}\n",
		},
		"the same value": {
			"{\"servers\":{\"aurora\":{\"command\":\"aurora\",\"args\":[\"mcp\"]}}}",
			"{\"servers\":{\"aurora\":{\"command\":\"aurora\",\"args\":[\"mcp\"]}}}",
		},
	} {
		got, err := Set([]byte(tt.before), []string{"servers", "aurora"}, value)
		if err != nil || string(got) != tt.after {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, tt.after)
		}
		again, err := Set(got, []string{"servers", "aurora"}, value)
		if err != nil || string(again) != string(got) {
			t.Errorf("%s, once more: %v\n%s", name, err, again)
		}
	}
}

func TestRemoveUndoesSet(t *testing.T) {
	for name, before := range map[string]string{
		"a neighbour":          "{\n  \"servers\": {\n    \"other\": {\n      \"x\": 1\n    }\n  }\n}\n",
		"comments":             "// top\n{\n\t// mine\n\t\"a\": 1\n}\n",
		"an object's comment":  "{\n  \"servers\": {\n    // none yet\n  }\n}\n",
		"commas at the end":    "{\n  \"servers\": {\n    \"other\": {\"x\": 1},\n  },\n}\n",
		"line ends of Windows": "{\r\n  \"a\": 1\r\n}\r\n",
		"several, on one line": "{\"a\": 1, \"b\": [1, 2]}\n",
	} {
		with, err := Set([]byte(before), []string{"servers", "aurora"}, 1)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		after, found, empty, err := Remove(with, []string{"servers", "aurora"})
		if err != nil || !found || empty {
			t.Errorf("%s: %v, %v, %v", name, found, empty, err)
		}
		want, _, _ := Get([]byte(before), nil)
		got, _, err := Get(after, nil)
		var a, b any
		if json.Unmarshal(want, &a) != nil || json.Unmarshal(got, &b) != nil || err != nil {
			t.Fatalf("%s: %s", name, after)
		}
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		if string(x) != string(y) || strings.Count(before, "//") != strings.Count(string(after), "//") {
			t.Errorf("%s: %s\nwant\n%s", name, after, before)
		}
	}
	with, _ := Set(nil, []string{"servers", "aurora"}, 1)
	if _, found, empty, err := Remove(with, []string{"servers", "aurora"}); !found || !empty || err != nil {
		t.Errorf("an own file: %v, %v, %v", found, empty, err)
	}
	if out, found, _, err := Remove([]byte(`{"servers": {}}`), []string{"servers", "aurora"}); found || err != nil || string(out) != `{"servers": {}}` {
		t.Errorf("nothing to remove: %s, %v, %v", out, found, err)
	}
}

func TestRefusesWhatItCannotRead(t *testing.T) {
	for _, text := range []string{"{", "[1]", "42", `{"a" 1}`, `{"a": 1} {}`, "\x00", `{"servers": [1]}`, `{"servers": "x"}`} {
		if out, err := Set([]byte(text), []string{"servers", "aurora"}, 1); err == nil {
			t.Errorf("%q became %s", text, out)
		}
	}
	if _, err := Set([]byte(`{"servers": [1]}`), []string{"servers", "aurora"}, 1); !errors.Is(err, ErrNotObject) {
		t.Errorf("a list of servers: %v", err)
	}
}

func TestWriteKeepsModeAndLink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.json"), filepath.Join(dir, "link.json")
	if err := os.WriteFile(real, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(real)
	text, _ := os.ReadFile(real)
	if err != nil || string(text) != "new" || info.Mode().Perm() != 0o640 {
		t.Errorf("%q, %v, %v", text, info.Mode(), err)
	}
	if target, err := os.Readlink(link); err != nil || target != real {
		t.Errorf("the link: %s, %v", target, err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 2 {
		t.Errorf("files are left: %v", files)
	}
}

// Many writers of one file lose nothing.
func TestUpdateWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder", "config.json")
	var writers sync.WaitGroup
	for i := range 20 {
		writers.Go(func() {
			err := Update(path, 1<<20, func(text []byte) ([]byte, error) {
				return Set(text, []string{"group", fmt.Sprint(i)}, i)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]map[string]int
	if err := json.Unmarshal(text, &file); err != nil || len(file["group"]) != 20 {
		t.Errorf("%d of 20 changes: %v", len(file["group"]), err)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("files are left: %v", files)
	}
}
