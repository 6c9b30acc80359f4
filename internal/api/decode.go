package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Decode reads the parameters of one of this package's types. Absent and null ones leave v as it is. The error is a
// *engine.Error that names the field.
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
		return Invalid(fieldName(mismatch.Field), fmt.Sprintf("got %s, want %s", mismatch.Value, kindName(mismatch)))
	}
	return Invalid("params", err.Error())
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
