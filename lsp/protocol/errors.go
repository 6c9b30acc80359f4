package protocol

import (
	"encoding/json"
	"errors"

	"github.com/aurora-sidecar/aurora/engine"
	"go.lsp.dev/jsonrpc2"
)

// codes are the contract's error codes.
var codes = map[engine.Kind]jsonrpc2.Code{
	engine.Invalid:        jsonrpc2.InvalidParams,
	engine.Guardrail:      1001,
	engine.Budget:         1002,
	engine.LLMUnavailable: 1003,
	engine.NotIndexed:     1004,
	engine.JobConflict:    1005,
	engine.ConfigInvalid:  1006,
	engine.Embedding:      1007,
	engine.Storage:        1008,
	engine.Agent:          1009,
	engine.Confirmation:   1010,
}

// ErrorData is the data of an error that a person can act on.
type ErrorData struct {
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
	Remedy string `json:"remedy"`
}

// FromError converts an *engine.Error, wrapped or not, and nil for any other error.
func FromError(err error) *jsonrpc2.Error {
	var known *engine.Error
	if !errors.As(err, &known) {
		return nil
	}
	code, ok := codes[known.Kind]
	if !ok {
		code = jsonrpc2.InternalError
	}
	detail := known.Detail
	if known.Err != nil {
		if detail != "" {
			detail += ": "
		}
		detail += known.Err.Error()
	}
	data, _ := json.Marshal(ErrorData{Kind: string(known.Kind), Detail: detail, Remedy: known.Remedy}) // strings only
	wire := jsonrpc2.NewError(code, known.Message)
	wire.Data = data
	return wire
}

// InvalidParams is the answer to parameters that can't be used; field is their path, such as "scope.paths".
func InvalidParams(field, reason string) *jsonrpc2.Error {
	data, _ := json.Marshal(ErrorData{Kind: string(engine.Invalid), Detail: field}) // strings only
	wire := jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %s", field, reason)
	wire.Data = data
	return wire
}
