package api

import (
	"fmt"

	"github.com/aurora-sidecar/aurora/engine"
)

// ErrorData is the data of an error that a person can act on.
type ErrorData struct {
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
	Remedy string `json:"remedy"`
}

// Invalid is the answer to parameters that can't be used; field is their path, such as "scope.paths".
func Invalid(field, reason string) *engine.Error {
	return &engine.Error{Kind: engine.Invalid, Message: fmt.Sprintf("%s: %s", field, reason), Detail: field}
}
