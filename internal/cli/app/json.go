package app

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// Keyed is a result whose keys programs read again as they are: PrintJSON and the schemas leave them.
type Keyed interface{ KeepKeys() }

// PrintJSON prints v as one document: on one line for programs, indented for a person. Keys are camelCase, however the type
// is written to files; keys of maps are data and stay.
func (c *App) PrintJSON(v any) error {
	var doc bytes.Buffer
	enc := json.NewEncoder(&doc)
	enc.SetEscapeHTML(false)
	if !c.JSONLines {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := c.Out.Write(CamelKeys(reflect.ValueOf(v), doc.Bytes()))
	return err
}

// jsonKey matches a key of a JSON document. A quote within a string is escaped, and so never stands before a colon like this.
var jsonKey = lazyregexp.New(`(^|[^\\])"([A-Za-z0-9]+(?:_[A-Za-z0-9]+)*)":`)

// CamelKeys writes the keys of doc that come from struct fields of v in camelCase.
func CamelKeys(v reflect.Value, doc []byte) []byte {
	names := map[string]string{}
	if v.IsValid() && v.Type().Implements(reflect.TypeFor[Keyed]()) {
		return doc
	}
	collectNames(v, names, map[reflect.Type]bool{})
	if len(names) == 0 {
		return doc
	}
	return []byte(jsonKey.ReplaceAllStringFunc(string(doc), func(key string) string {
		start := strings.IndexByte(key, '"')
		if camel, ok := names[key[start+1:len(key)-2]]; ok {
			return key[:start+1] + camel + `":`
		}
		return key
	}))
}

// collectNames adds the JSON names of all fields below v that are not camelCase. A type is looked into once, a value of an
// interface type each time.
func collectNames(v reflect.Value, names map[string]string, seen map[reflect.Type]bool) {
	if !v.IsValid() {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			collectNames(v.Elem(), names, seen)
		} else if v.Kind() == reflect.Pointer && !seen[v.Type()] {
			seen[v.Type()] = true
			collectNames(reflect.Zero(v.Type().Elem()), names, seen)
		}
	case reflect.Slice, reflect.Array:
		if v.Len() == 0 {
			collectNames(reflect.Zero(v.Type().Elem()), names, seen)
		}
		for i := range v.Len() {
			collectNames(v.Index(i), names, seen)
		}
	case reflect.Map:
		collectNames(reflect.Zero(v.Type().Elem()), names, seen)
		for _, key := range v.MapKeys() {
			collectNames(v.MapIndex(key), names, seen)
		}
	case reflect.Struct:
		collectFields(v, names, seen)
	}
}

func collectFields(v reflect.Value, names map[string]string, seen map[reflect.Type]bool) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() && !field.Anonymous {
			continue
		}
		if name == "" && !field.Anonymous {
			name = field.Name
		}
		if camel := CamelCase(name); camel != name {
			names[name] = camel
		}
		collectNames(v.Field(i), names, seen)
	}
}

// CamelCase turns snake_case and PascalCase into camelCase.
func CamelCase(name string) string {
	var b strings.Builder
	for i, word := range strings.Split(name, "_") {
		if i > 0 && word != "" {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
	}
	runes := []rune(b.String())
	for i := range runes {
		if !unicode.IsUpper(runes[i]) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}
