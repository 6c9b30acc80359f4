package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/go-json-experiment/json/jsontext"
	lsp "go.lsp.dev/protocol"
)

// Decode reads the parameters of one of this package's types. Absent and null ones leave v as it is. The error is a
// *jsonrpc2.Error that names the field.
func Decode(params json.RawMessage, v any) error {
	if absent(params) {
		return nil
	}
	err := json.Unmarshal(params, v)
	var mismatch *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &mismatch):
		return InvalidParams(fieldName(mismatch.Field), fmt.Sprintf("got %s, want %s", mismatch.Value, kindName(mismatch)))
	}
	return InvalidParams("params", err.Error())
}

// DecodeLSP reads the parameters of one of go.lsp.dev/protocol's types.
func DecodeLSP(params json.RawMessage, v any) (err error) {
	if absent(params) {
		return nil
	}
	if bytes.TrimLeft(params, " \t\r\n")[0] != '{' {
		return InvalidParams("params", "must be an object")
	}
	if err := lsp.Unmarshal(params, v); err != nil {
		return InvalidParams(fieldOf(params, err), strings.TrimPrefix(err.Error(), "protocol: "))
	}
	return nil
}

func absent(params json.RawMessage) bool {
	return len(params) == 0 || string(bytes.TrimSpace(params)) == "null"
}

func fieldName(field string) string {
	if field == "" {
		return "params"
	}
	return field
}

// kindName says in JSON's words what a field should have been.
func kindName(e *json.UnmarshalTypeError) string {
	switch kind := e.Type.Kind().String(); kind {
	case "struct", "map":
		return "an object"
	case "slice":
		return "a list"
	case "bool":
		return "true or false"
	case "int", "int32", "int64", "uint", "uint32", "uint64":
		return "a whole number that fits"
	case "float64":
		return "a number"
	default:
		return "a " + kind
	}
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
	return fieldName(path)
}
