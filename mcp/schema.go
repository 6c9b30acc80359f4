package mcp

import (
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaOf is the schema of a tool's arguments, as short as it can be said: the JSON names and the descriptions in the
// tags jsonschema come from the struct, allowed words from the tag enum.
func schemaOf(arguments reflect.Type) *jsonschema.Schema {
	schema, err := jsonschema.ForType(arguments, &jsonschema.ForOptions{})
	if err != nil {
		panic(err) // a struct of this program that has no schema
	}
	shorten(schema, arguments)
	return schema
}

// shorten drops what clients know anyway: that a list may be null, and that there are no other arguments (decode says
// so where it matters).
func shorten(schema *jsonschema.Schema, t reflect.Type) {
	schema.AdditionalProperties = nil
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := schema.Properties[name]
		if field.Anonymous && property == nil { // a group of fields
			shorten(schema, field.Type)
			continue
		}
		if words := field.Tag.Get("enum"); words != "" {
			for word := range strings.SplitSeq(words, ",") {
				property.Enum = append(property.Enum, word)
			}
		}
		if len(property.Types) == 2 && property.Types[0] == "null" {
			property.Type, property.Types = property.Types[1], nil
		}
		if inner := field.Type; inner.Kind() == reflect.Pointer && inner.Elem().Kind() == reflect.Struct {
			shorten(property, inner.Elem())
		}
	}
}
