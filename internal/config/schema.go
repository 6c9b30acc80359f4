package config

import "strings"

// Schema is the JSON Schema of a configuration file, made from Settings. Editors complete and check files by it.
func Schema() map[string]any {
	root := object()
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "AURORA settings"
	properties := root["properties"].(map[string]any)
	properties["$schema"] = map[string]any{"type": "string"}
	properties["version"] = map[string]any{"type": "string"}
	for _, info := range Keys() {
		at := root
		names := strings.Split(info.Name, ".")
		for _, group := range names[:len(names)-1] {
			properties := at["properties"].(map[string]any)
			if properties[group] == nil {
				properties[group] = object()
			}
			at = properties[group].(map[string]any)
		}
		at["properties"].(map[string]any)[names[len(names)-1]] = info.schema()
	}
	return root
}

func object() map[string]any {
	return map[string]any{"type": "object", "properties": map[string]any{}, "additionalProperties": false}
}

func (info KeyInfo) schema() map[string]any {
	schema := map[string]any{"type": info.Type, "description": info.Doc, "default": info.Default}
	if info.Type == "array" {
		schema["items"] = map[string]any{"type": "string", "minLength": 1}
	}
	if info.Words != nil {
		schema["enum"] = info.Words
	}
	tag := keys[info.Name].field.Tag
	low, high := keys[info.Name].bounds()
	if tag.Get("min") != "" {
		schema["minimum"] = low
	}
	if tag.Get("max") != "" {
		schema["maximum"] = high
	}
	return schema
}
