package server

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	lsp "go.lsp.dev/protocol"
)

func TestDecodeLSPNamesTheField(t *testing.T) {
	tests := []struct {
		params string
		into   any
		field  string // "" when it is fine
	}{
		{`{"textDocument":{"uri":5},"position":{"line":1,"character":2}}`, &lsp.HoverParams{}, "textDocument.uri"},
		{`{"textDocument":{"uri":"file:///a"},"position":{"line":-1,"character":2}}`, &lsp.HoverParams{}, "position.line"},
		{`{"textDocument":{"uri":"file:///a"},"position":{"line":1,"character":true}}`, &lsp.HoverParams{}, "position.character"},
		{`{"textDocument":[],"position":{}}`, &lsp.HoverParams{}, "textDocument"},
		{`[1]`, &lsp.HoverParams{}, "params"},
		{`{"command":5}`, &lsp.ExecuteCommandParams{}, "command"},
		{`null`, &lsp.HoverParams{}, ""},
	}
	for _, test := range tests {
		err := decodeLSP(json.RawMessage(test.params), test.into)
		if test.field == "" {
			if err != nil {
				t.Errorf("%s: %v", test.params, err)
			}
			continue
		}
		var refused *engine.Error
		if !errors.As(err, &refused) || refused.Kind != engine.Invalid || !strings.HasPrefix(refused.Message, test.field+":") {
			t.Errorf("%s: error %v, want an invalid %s", test.params, err, test.field)
		}
	}
}

// FuzzDecodeLSP: no parameters make the decoders or the search for the field panic.
func FuzzDecodeLSP(f *testing.F) {
	f.Add(`{"textDocument":{"uri":5},"position":{"line":1,"character":2}}`)
	f.Add(`{"range":{"start":{"line":-1}},"context":{"only":[5]}}`)
	f.Fuzz(func(_ *testing.T, params string) {
		if !json.Valid([]byte(params)) {
			return // package rpc lets nothing else through
		}
		_ = decodeLSP(json.RawMessage(params), new(lsp.HoverParams))
		_ = decodeLSP(json.RawMessage(params), new(lsp.CodeActionParams))
		_ = api.Decode(json.RawMessage(params), new(api.SearchParams))
		_ = api.Decode(json.RawMessage(params), new(didChangeParams))
	})
}
