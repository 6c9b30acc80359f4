package mcp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
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

// TestTokensInCodeStayIn plants a token in code that is indexed and in what is remembered, and asks for it through each tool, each
// resource and each prompt.
func TestTokensInCodeStayIn(t *testing.T) {
	w := newWorld(t, "all")
	token := "ghp_" + "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"
	path := filepath.Join(w.dir, "deploy.go")
	if err := os.WriteFile(path, []byte("package shop\n\n// DeployShop uses "+token+".\nfunc DeployShop() string {\n\treturn \""+token+"\"\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.must("refresh_context", args{"paths": []string{"deploy.go"}}, "")
	if err := w.index.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.must("search", args{"query": "DeployShop"}, "[REDACTED:github-token]")
	w.must("remember", args{"content": "DeployShop needs " + token, "tags": []string{"decision"}})
	listed, err := w.client.ListTools(t.Context(), nil)
	if err != nil || len(listed.Tools) < 10 {
		t.Fatalf("%d tools, %v", len(listed.Tools), err)
	}
	for _, tool := range listed.Tools {
		for _, arguments := range []args{
			{}, {"query": "DeployShop"}, {"task": "change DeployShop"}, {"path": "deploy.go", "line": 4}, {"symbol": "DeployShop"}, {"path": "deploy.go"},
			{"path": "deploy.go", "symbol": "DeployShop"}, {"question": "what is DeployShop?"}, {"topic": "DeployShop"},
		} {
			if text, data, _ := w.call(tool.Name, arguments); strings.Contains(text+fmt.Sprint(data), token) {
				t.Errorf("%s of %v hands out the token: %s %v", tool.Name, arguments, text, data)
			}
		}
	}
	for r, err := range w.client.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		read, err := w.client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI})
		if err != nil || strings.Contains(read.Contents[0].Text+r.Title+r.URI, token) {
			t.Errorf("%s: %v, %+v", r.URI, err, read)
		}
	}
	for name, arguments := range map[string]map[string]string{"start": {"task": "change DeployShop"}, "decisions": {"topic": "DeployShop"}} {
		p, err := w.client.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: arguments})
		if err != nil || !strings.Contains(p.Messages[0].Content.(*sdk.TextContent).Text, "DeployShop") || strings.Contains(p.Messages[0].Content.(*sdk.TextContent).Text, token) {
			t.Errorf("%s: %v, %+v", name, err, p)
		}
	}
}
