package mcp

import (
	"context"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestResources(t *testing.T) {
	w := newWorld(t, "")
	w.must("search", args{"query": "TotalPrice"}, "TotalPrice") // waits for the index
	_, data := w.must("remember", args{"content": "Prices are integers", "tags": []string{"decision"}})
	id := data["id"].(string)
	var listed []string
	for r, err := range w.client.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, r.URI)
	}
	for uri, words := range map[string]string{
		"aurora://status": `"totalFiles": 2`, "aurora://memory": "Prices are integers", "aurora://memory/" + id: "Tags: decision",
	} {
		if !strings.Contains(strings.Join(listed, " "), uri) {
			t.Errorf("%s is not listed: %q", uri, listed)
		}
		r, err := w.client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil || len(r.Contents) != 1 || !strings.Contains(r.Contents[0].Text, words) {
			t.Errorf("%s: %+v, %v", uri, r, err)
		}
	}
	for _, uri := range []string{"aurora://memory/know:none-00000000", "aurora://nothing", "file:///etc/passwd"} {
		if r, err := w.client.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %+v", uri, r.Contents)
		}
	}
}

func TestPrompts(t *testing.T) {
	w := newWorld(t, "")
	w.must("remember", args{"content": "Taxes round down: the law says so"})
	for name, tt := range map[string]struct {
		arguments map[string]string
		says      []string
	}{
		"start": {map[string]string{"task": "change WithTax"}, []string{"cents/5", "call remember"}},
		"a ticket": {
			map[string]string{"task": "change WithTax", "id": "#123", "description": "It rounds\nup.", "type": "IMPLEMENTATION", "complexity": "7"},
			[]string{"You are executing task #123: change WithTax\nDescription: It rounds up.\nType: IMPLEMENTATION\nComplexity: 7\n\n<project_context", "</project_context>", "Guidelines:\n1. ", "4. Keep to the patterns"},
		},
		"a ticket whose title says nothing": {
			map[string]string{"task": "fix it", "id": "7", "description": "the law about it", "keywords": "taxes"}, []string{"<goal>\nfix it\n</goal>", "Taxes round down"},
		},
		"decisions": {map[string]string{"topic": "taxes"}, []string{"the law says so", "cite path:line"}},
	} {
		if _, ticket := tt.arguments["id"]; ticket {
			name = "start"
		}
		p, err := w.client.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: tt.arguments})
		if err != nil || len(p.Messages) != 1 {
			t.Fatalf("%s: %+v, %v", name, p, err)
		}
		for _, words := range tt.says {
			if said := p.Messages[0].Content.(*sdk.TextContent).Text; !strings.Contains(said, words) {
				t.Errorf("%s does not say %q:\n%s", name, words, said)
			}
		}
		if _, err := w.client.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name}); err == nil || !strings.Contains(err.Error(), "missing") {
			t.Errorf("%s without its argument: %v", name, err)
		}
	}
}

// A panic costs one answer, not the session.
func TestPanicIsContained(t *testing.T) {
	w := newWorld(t, "")
	w.fake(fakes{api.Search.Operation: func(context.Context, any, api.Caller) (any, error) { panic("broken") }})
	_, err := w.client.CallTool(t.Context(), &sdk.CallToolParams{Name: "search", Arguments: args{"query": "x"}})
	if err == nil || !strings.Contains(err.Error(), "tools/call failed: broken") {
		t.Errorf("a search that panics: %v", err)
	}
	w.must("related", args{"symbol": "WithTax"}, "TotalPrice")
}
