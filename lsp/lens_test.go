package lsp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/lsp"
)

type codeLens struct {
	Range   api.Range       `json:"range"`
	Command json.RawMessage `json:"command,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func lenses(e *lsp.Editor, name string) []codeLens {
	var list []codeLens
	e.Call("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": e.URI(name)}}, &list)
	return list
}

func TestCodeLensesAreOffUntilTheyAreSwitchedOn(t *testing.T) {
	w := newWorld(t)
	e := w.open(shop)
	e.OpenFile("cart.go")
	if got := lenses(e, "cart.go"); len(got) != 0 {
		t.Errorf("off: %+v", got)
	}
	e.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"aurora": map[string]any{"lsp.codeLens.enabled": true}}})
	e.Call("aurora/remember", map[string]any{"content": "Carts are cheap", "sourceRef": "cart.go:10"}, nil)
	list := lenses(e, "cart.go")
	if len(list) != 3 {
		t.Fatalf("lenses %+v", list)
	}
	title := func(lens codeLens) string {
		t.Helper()
		var resolved struct {
			Command struct {
				Title, Command string
				Arguments      []map[string]any
			}
		}
		e.Call("codeLens/resolve", lens, &resolved)
		if c := resolved.Command; c.Command != "aurora.related" || len(c.Arguments) != 1 || c.Arguments[0]["direction"] != "all" {
			t.Errorf("command %+v", c)
		}
		return resolved.Command.Title
	}
	if got := title(list[0]); got != "related code" { // a type is used, not called
		t.Errorf("Cart: %q", got)
	}
	if got := title(list[1]); !strings.HasPrefix(got, "1 caller") {
		t.Errorf("AddItem: %q", got)
	}
	for got := ""; got != "1 caller · Carts are cheap"; { // a busy machine leaves out what memory does not tell in time
		if got = title(list[2]); got != "1 caller" && got != "1 caller · Carts are cheap" {
			t.Fatalf("NewCart: %q", got)
		}
	}
	e.Notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"aurora": map[string]any{"lsp.codeLens.enabled": nil}}})
	if got := lenses(e, "cart.go"); len(got) != 0 {
		t.Errorf("off again: %+v", got)
	}
	for _, method := range []string{"textDocument/codeLens", "textDocument/documentSymbol"} {
		var none any
		if e.Call(method, map[string]any{"textDocument": map[string]any{"uri": "git:/cart.go?HEAD"}}, &none); none != nil {
			t.Errorf("%s of another file system: %v", method, none)
		}
	}
	if err := e.Try("codeLens/resolve", codeLens{Data: json.RawMessage(`{"uri": 5}`)}, nil); err == nil {
		t.Error("a lens of another server is no error")
	}
}

func TestDocumentSymbolsAreForThoseWhoAsk(t *testing.T) {
	w := newWorld(t)
	for _, on := range []bool{false, true} {
		e, _ := w.connect(lsp.Config{Dir: workspace(t, shop), Options: map[string]any{
			"aurora": map[string]any{"client": api.ClientFeatures{Status: true}, "lsp.documentSymbol": on},
		}})
		e.AwaitReady()
		var symbols []struct{ Name string }
		e.Call("textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": e.URI("cart.go")}}, &symbols)
		isAddItem := func(s struct{ Name string }) bool { return s.Name == "AddItem" }
		if on != slices.ContainsFunc(symbols, isAddItem) || !on && len(symbols) != 0 {
			t.Errorf("on %v: %+v", on, symbols)
		}
	}
}
