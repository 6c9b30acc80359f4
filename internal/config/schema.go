package config

import (
	"reflect"
	"strings"
)

// Schema is the JSON Schema of a configuration file, made from Settings. Editors complete and check files with it.
func Schema() map[string]any {
	root := object()
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "AURORA settings"
	put(root, "$schema", map[string]any{"type": "string"})
	for _, info := range Keys() {
		put(root, info.Name, info.Schema())
	}
	return root
}

// put adds the schema of a key, and those of the groups around it.
func put(root map[string]any, name string, schema map[string]any) {
	at := root
	names := strings.Split(name, ".")
	for _, group := range names[:len(names)-1] {
		properties := at["properties"].(map[string]any)
		if properties[group] == nil {
			properties[group] = object()
		}
		at = properties[group].(map[string]any)
	}
	at["properties"].(map[string]any)[names[len(names)-1]] = schema
}

func object() map[string]any {
	return map[string]any{"type": "object", "properties": map[string]any{}, "additionalProperties": false}
}

// Schema is the JSON Schema of the key's value.
func (info KeyInfo) Schema() map[string]any {
	schema := keys[info.Name].schema()
	schema["description"], schema["default"] = info.Doc, info.Default
	return schema
}

// schema says which values k may have.
func (k key) schema() map[string]any {
	schema := map[string]any{"type": k.jsonType()}
	switch k.field.Type.Kind() {
	case reflect.Slice:
		schema["items"] = map[string]any{"type": "string", "minLength": 1}
	case reflect.Map:
		if k.field.Type.Elem().Kind() == reflect.String {
			schema["propertyNames"] = map[string]any{"pattern": "^[^\\r\\n\\x00]+$"}
			schema["additionalProperties"] = map[string]any{"type": "string", "pattern": "^[^\\r\\n\\x00]*$"}
			break
		}
		member := object()
		for i := range k.field.Type.Elem().NumField() {
			field := k.field.Type.Elem().Field(i)
			put(member, field.Tag.Get("json"), key{field: field}.schema())
		}
		schema["additionalProperties"] = member
	}
	if words := k.field.Tag.Get("oneof"); words != "" {
		schema["enum"] = strings.Split(words, ",")
	}
	low, high := k.bounds()
	if k.field.Tag.Get("min") != "" {
		schema["minimum"] = low
	}
	if k.field.Tag.Get("max") != "" {
		schema["maximum"] = high
	}
	return schema
}
