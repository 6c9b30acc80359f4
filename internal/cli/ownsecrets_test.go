package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOwnSecretPatterns plants what only a pattern of the settings takes for a secret, and looks for it behind every door.
func TestOwnSecretPatterns(t *testing.T) {
	p := sharing(t, 600)
	if err := os.WriteFile(filepath.Join(p.home, ".aurora", "config.json"), []byte(`{"security": {"secret_patterns": ["acmeticket-\\d+"]}, "lsp": {"daemon": {"idle_seconds": 600}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	p.write("pay.go", "package retry\n\n// Pay uses acmeticket-4711 of the till.\nfunc Pay() string { return \"acmeticket-4711\" }\n")
	editor := p.serveShared()
	editor.begin(p.dir)
	editor.finds(90, "Pay")

	a := p.agent(p.dir, nil)
	kept := a.gets("remember", with{"content": "The till takes acmeticket-4711 since May"}, "Remembered as know:")
	doors := map[string]string{
		"search by MCP":  a.gets("search", with{"query": "Pay", "snippets": true}, "pay.go"),
		"context by MCP": a.gets("context", with{"task": "change how the till is paid", "symbol": "Pay"}, "[REDACTED:secret]"),
		"recall by MCP":  a.gets("search", with{"query": "till since May", "in": "memory"}, "[REDACTED:secret]"),
		"remember":       kept,
		"mem search":     p.binary("mem", "search", "till").String(),
		"answer":         a.gets("ask", with{"question": "What does Pay return?"}, "pay.go"),
	}
	for door, text := range doors {
		if strings.Contains(text, "4711") {
			t.Errorf("%s shows it: %s", door, text)
		}
	}
}
