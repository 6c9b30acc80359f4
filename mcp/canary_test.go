package mcp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLeftOutFilesStayIn names files that are not indexed to every tool that takes a path: none hands out what is in them.
func TestLeftOutFilesStayIn(t *testing.T) {
	w := newWorld(t, "all")
	const canary = "canary-4f1b9c"
	files := []string{".git/config", ".netrc", ".env", "deploy.pem", "id_rsa", "build/out.go"}
	for _, name := range append(files, ".gitignore") {
		path := filepath.Join(w.dir, name)
		text := "package build // url = https://user:" + canary + "@example.com\n"
		if name == ".gitignore" {
			text = "build/\n"
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w.must("search", args{"query": "TotalPrice"}, "cart/cart.go") // waits for the index
	for _, name := range files {
		for tool, arguments := range map[string]args{
			"context": {"path": name}, "search": {"query": canary}, "related": {"path": name, "line": 1}, "refresh_context": {"paths": []string{name}},
		} {
			if text, data, _ := w.call(tool, arguments); strings.Contains(text, canary+"@") || strings.Contains(strings.Join(strings.Fields(strings.TrimSpace(text)), " "), "user:"+canary) {
				t.Errorf("%s hands out %s: %s %v", tool, name, text, data)
			}
		}
		if text, _, isError := w.call("context", args{"path": name}); !isError {
			t.Errorf("context of %s is answered: %s", name, text)
		}
	}
}
