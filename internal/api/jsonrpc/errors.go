package jsonrpc

import (
	"encoding/json"
	"errors"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
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
	engine.NotFound:       1011,
	engine.Busy:           1012,
	engine.Stuck:          1013,
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
	data, _ := json.Marshal(api.ErrorData{Kind: string(known.Kind), Detail: detail, Remedy: known.Remedy}) // strings only
	wire := jsonrpc2.NewError(code, known.Message)
	wire.Data = data
	return wire
}

// whole converts any error for a Remote. What the cause says stays in the message, where the one who reads it looks.
func whole(err error) *jsonrpc2.Error {
	var known *engine.Error
	if !errors.As(err, &known) {
		return jsonrpc2.NewError(jsonrpc2.InternalError, err.Error())
	}
	return FromError(&engine.Error{Kind: known.Kind, Message: err.Error(), Detail: known.Detail, Remedy: known.Remedy})
}

// toError makes of an answer's error what it was at the other end, but for its cause.
func toError(wire *jsonrpc2.Error) error {
	var data api.ErrorData
	if json.Unmarshal(wire.Data, &data) != nil || data.Kind == "" {
		return errors.New(wire.Message)
	}
	return &engine.Error{Kind: engine.Kind(data.Kind), Message: wire.Message, Detail: data.Detail, Remedy: data.Remedy}
}
