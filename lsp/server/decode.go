package server

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/go-json-experiment/json/jsontext"
	lsp "go.lsp.dev/protocol"
)

// decodeLSP reads the parameters of one of go.lsp.dev/protocol's types.
func decodeLSP(params json.RawMessage, v any) (err error) {
	trimmed := bytes.TrimSpace(params)
	if len(trimmed) == 0 || string(trimmed) == "null" {
		return nil
	}
	if trimmed[0] != '{' {
		return api.Invalid("params", "must be an object")
	}
	if err := lsp.Unmarshal(params, v); err != nil {
		return api.Invalid(fieldOf(params, err), strings.TrimPrefix(err.Error(), "protocol: "))
	}
	return nil
}

// The generated decoders of go.lsp.dev/protocol tell where in the bytes they stopped, not at which field.
var offsetIn = lazyregexp.New(`at offset (\d+)`)

// fieldOf finds the field that a decoding error is about.
func fieldOf(params []byte, err error) string {
	match := offsetIn.FindStringSubmatch(err.Error())
	if match == nil {
		return "params"
	}
	offset, err := strconv.ParseInt(match[1], 10, 64)
	if err != nil {
		return "params"
	}
	return fieldAt(params, offset)
}

// fieldAt returns the path, such as "position.line", of the value at or after a byte offset.
func fieldAt(params []byte, offset int64) string {
	dec := jsontext.NewDecoder(bytes.NewReader(params), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for dec.InputOffset() <= offset {
		if _, err := dec.ReadToken(); err != nil {
			break
		}
	}
	path := strings.ReplaceAll(strings.TrimPrefix(string(dec.StackPointer()), "/"), "/", ".")
	if path == "" {
		return "params"
	}
	return path
}
