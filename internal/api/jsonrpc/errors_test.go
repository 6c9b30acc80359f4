package jsonrpc

import (
	"errors"
	"fmt"
	"testing"

	"github.com/aurora-sidecar/aurora/engine"
	"go.lsp.dev/jsonrpc2"
)

func TestFromError(t *testing.T) {
	err := fmt.Errorf("search: %w", &engine.Error{
		Kind: engine.NotIndexed, Message: "a.go is not indexed", Detail: ".gitignore:3", Remedy: "remove the rule",
		Err: errors.New("cause"),
	})
	wire := FromError(err)
	if wire == nil || wire.Code != 1004 || wire.Message != "a.go is not indexed" {
		t.Fatalf("got %+v", wire)
	}
	if want := `{"kind":"notIndexed","detail":".gitignore:3: cause","remedy":"remove the rule"}`; string(wire.Data) != want {
		t.Errorf("data %s, want %s", wire.Data, want)
	}
	if wire := FromError(errors.New("plain")); wire != nil {
		t.Errorf("a plain error became %v", wire)
	}
	for kind, code := range map[engine.Kind]jsonrpc2.Code{
		engine.Invalid: -32602, engine.Guardrail: 1001, engine.Budget: 1002, engine.LLMUnavailable: 1003,
		engine.NotIndexed: 1004, engine.JobConflict: 1005, engine.ConfigInvalid: 1006, engine.Embedding: 1007,
		engine.Storage: 1008, engine.Agent: 1009, engine.Confirmation: 1010, engine.NotFound: 1011, "unheard of": -32603,
	} {
		if wire := FromError(&engine.Error{Kind: kind}); wire.Code != code {
			t.Errorf("%s has code %d, want %d", kind, wire.Code, code)
		}
	}
}
