package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/text"
	"github.com/google/jsonschema-go/jsonschema"
)

// decodeInto reads a tool's arguments. Whatever is wrong with them is an Invalid error that names the argument and what it
// should have been.
func decodeInto(schema *jsonschema.Schema, arguments json.RawMessage, in any) error {
	if len(bytes.TrimSpace(arguments)) == 0 || string(bytes.TrimSpace(arguments)) == "null" {
		arguments = json.RawMessage("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &given); err != nil {
		return invalid("arguments", "the arguments must be an object", "Use "+usage(schema)+".")
	}
	if err := checkNames(schema, "", given); err != nil {
		return err
	}
	var kind *json.UnmarshalTypeError
	err := json.Unmarshal(arguments, in)
	switch {
	case errors.As(err, &kind):
		return invalid(kind.Field, fmt.Sprintf("%s must be %s, not %s", kind.Field, wanted(schema, kind.Field), kind.Value), "Use "+usage(schema)+".")
	case err != nil:
		return invalid("arguments", err.Error(), "Use "+usage(schema)+".")
	}
	return nil
}

func invalid(field, message, remedy string) error {
	return &engine.Error{Kind: engine.Invalid, Message: message, Detail: field, Remedy: remedy}
}

// checkNames refuses arguments that do not exist, words that are not allowed, and what is missing.
func checkNames(schema *jsonschema.Schema, above string, given map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		property := schema.Properties[name]
		if property == nil {
			return invalid(above+name, fmt.Sprintf("there is no argument %.60q", above+name), "Use "+nearName(schema, name)+".")
		}
		if err := checkWord(property, above+name, given[name]); err != nil {
			return err
		}
		var inner map[string]json.RawMessage
		if property.Properties != nil && json.Unmarshal(given[name], &inner) == nil {
			if err := checkNames(property, above+name+".", inner); err != nil {
				return err
			}
		}
	}
	for _, name := range schema.Required {
		if value, ok := given[name]; !ok || string(value) == "null" {
			return invalid(above+name, above+name+" is missing", "Use "+usage(schema)+".")
		}
	}
	return nil
}

func checkWord(property *jsonschema.Schema, name string, given json.RawMessage) error {
	var word string
	if property.Enum == nil || json.Unmarshal(given, &word) != nil || word == "" || slices.Contains(property.Enum, any(word)) {
		return nil
	}
	var words []string
	for _, allowed := range property.Enum {
		words = append(words, fmt.Sprint(allowed))
	}
	return invalid(name, fmt.Sprintf("%s can't be %.60q", name, word), "Use one of "+strings.Join(words, ", ")+".")
}

// nearName is the argument that was probably meant, else all of them.
func nearName(schema *jsonschema.Schema, name string) string {
	best, distance := "", 3
	for known := range schema.Properties {
		d := text.Distance([]rune(strings.ToLower(name)), []rune(strings.ToLower(known)), distance)
		if d < distance && d < len(known) {
			best, distance = known, d
		}
	}
	if best != "" {
		return best
	}
	return usage(schema)
}

// usage lists the arguments: query (string, required), limit (integer).
func usage(schema *jsonschema.Schema) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		part := name + " (" + schema.Properties[name].Type
		if slices.Contains(schema.Required, name) {
			part += ", required"
		}
		parts = append(parts, part+")")
	}
	if len(parts) == 0 {
		return "no arguments"
	}
	return strings.Join(parts, ", ")
}

// wanted is the kind of value that an argument takes.
func wanted(schema *jsonschema.Schema, field string) string {
	for name := range strings.SplitSeq(field, ".") {
		if schema.Properties[name] == nil {
			break
		}
		schema = schema.Properties[name]
	}
	switch schema.Type {
	case "integer":
		return "a whole number"
	case "array":
		return "a list of strings"
	case "object":
		return "an object"
	}
	return "a " + schema.Type
}
