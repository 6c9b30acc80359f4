package rpc

import (
	"encoding/json"

	"go.lsp.dev/jsonrpc2"
	lsp "go.lsp.dev/protocol"
)

// codec marshals LSP's types with their own encoder, which knows their unions, and passes on what is JSON already.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error) {
	switch raw := v.(type) {
	case jsonrpc2.RawMessage:
		return raw, nil
	case json.RawMessage:
		return raw, nil
	}
	return lsp.Marshal(v)
}

func (codec) Unmarshal(data []byte, v any) error {
	switch raw := v.(type) {
	case *jsonrpc2.RawMessage:
		*raw = append((*raw)[:0], data...)
		return nil
	case *json.RawMessage:
		*raw = append((*raw)[:0], data...)
		return nil
	}
	return lsp.Unmarshal(data, v)
}
