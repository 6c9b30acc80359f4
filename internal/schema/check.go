package schema

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// A checker gathers the mistakes in one document.
type checker struct {
	schema *Schema
	found  []Complaint
}

func (c *checker) complain(place, format string, args ...any) {
	c.found = append(c.found, Complaint{Place: place, Problem: fmt.Sprintf(format, args...)})
}

// check looks at what is at a place. A value of the wrong kind is one mistake, whatever else is asked of it.
func (c *checker) check(s *jsonschema.Schema, place string, value any) {
	if target := c.schema.targets[s]; target != nil {
		c.check(target, place, value)
	}
	if !c.kind(s, place, value) {
		return
	}
	for _, sub := range s.AllOf {
		c.check(sub, place, value)
	}
	switch value := value.(type) {
	case map[string]any:
		c.object(s, place, value)
	case []any:
		c.array(s, place, value)
	case string:
		c.text(s, place, value)
	case float64:
		if s.Minimum != nil && value < *s.Minimum {
			c.complain(place, "minimum: got %s, want %s", number(value), number(*s.Minimum))
		}
		if s.Maximum != nil && value > *s.Maximum {
			c.complain(place, "maximum: got %s, want %s", number(value), number(*s.Maximum))
		}
	}
}

// kind says whether a value is of a type, and one of the values, that are allowed.
func (c *checker) kind(s *jsonschema.Schema, place string, value any) bool {
	types := s.Types
	if s.Type != "" {
		types = []string{s.Type}
	}
	if len(types) > 0 && !slices.ContainsFunc(types, func(want string) bool { return isOf(want, value) }) {
		c.complain(place, "got %s, want %s", typeOf(value), strings.Join(types, " or "))
		return false
	}
	if s.Const != nil && !reflect.DeepEqual(*s.Const, value) {
		c.complain(place, "value must be %s", display(*s.Const))
		return false
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(allowed any) bool { return reflect.DeepEqual(allowed, value) }) {
		words := make([]string, len(s.Enum))
		for i, allowed := range s.Enum {
			words[i] = display(allowed)
		}
		c.complain(place, "value must be one of %s", strings.Join(words, ", "))
		return false
	}
	return true
}

func (c *checker) object(s *jsonschema.Schema, place string, object map[string]any) {
	var missing, unknown []string
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			missing = append(missing, display(name))
		}
	}
	if len(missing) > 0 {
		c.complain(place, "missing %s %s", plural("property", "properties", len(missing)), strings.Join(missing, ", "))
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		sub := s.Properties[name]
		switch {
		case sub != nil:
		case s.AdditionalProperties == nil || len(s.PatternProperties) > 0:
			continue
		case isFalse(s.AdditionalProperties):
			unknown = append(unknown, display(name))
			continue
		default:
			sub = s.AdditionalProperties
		}
		c.check(sub, place+"/"+pointerEscapes.Replace(name), object[name])
	}
	if len(unknown) > 0 {
		c.complain(place, "additional properties %s not allowed", strings.Join(unknown, ", "))
	}
}

// isFalse says whether a schema is the word false, which nothing satisfies.
func isFalse(s *jsonschema.Schema) bool {
	return s.Not != nil && reflect.ValueOf(*s.Not).IsZero()
}

func (c *checker) array(s *jsonschema.Schema, place string, array []any) {
	if s.MinItems != nil && len(array) < *s.MinItems {
		c.complain(place, "minItems: got %d, want %d", len(array), *s.MinItems)
	}
	if s.MaxItems != nil && len(array) > *s.MaxItems {
		c.complain(place, "maxItems: got %d, want %d", len(array), *s.MaxItems)
	}
	if s.Items == nil || len(s.PrefixItems) > 0 {
		return
	}
	for i, item := range array {
		c.check(s.Items, place+"/"+strconv.Itoa(i), item)
	}
}

func (c *checker) text(s *jsonschema.Schema, place, text string) {
	length := utf8.RuneCountInString(text)
	if s.MinLength != nil && length < *s.MinLength {
		c.complain(place, "minLength: got %d, want %d", length, *s.MinLength)
	}
	if s.MaxLength != nil && length > *s.MaxLength {
		c.complain(place, "maxLength: got %d, want %d", length, *s.MaxLength)
	}
	if pattern := c.schema.patterns[s]; pattern != nil && !pattern.MatchString(text) {
		c.complain(place, "%s does not match pattern %s", display(text), display(s.Pattern))
	}
	if form := formats[s.Format]; form.layout != "" {
		if _, err := time.Parse(form.layout, strings.ToUpper(text)); err != nil {
			c.complain(place, "%s is not valid %s, such as %s", display(text), s.Format, form.example)
		}
	}
}

// formats are those that are held to what their names say; the standard leaves it open.
var formats = map[string]struct{ layout, example string }{
	"date":      {time.DateOnly, "2026-01-31"},
	"date-time": {time.RFC3339, "2026-01-31T23:59:59Z"},
}

// pointerEscapes makes a name a part of a JSON pointer.
var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

// isOf says whether a value is of a type. 1.0 is an integer, as the standard has it.
func isOf(want string, value any) bool {
	if n, ok := value.(float64); ok && want == "integer" {
		return n == math.Trunc(n)
	}
	return typeOf(value) == want
}

// display writes a value on one line, words in single quotes.
func display(value any) string {
	text, ok := value.(string)
	if !ok {
		return fmt.Sprint(value)
	}
	quoted := strconv.Quote(text)
	return "'" + strings.NewReplacer(`\"`, `"`, `'`, `\'`).Replace(quoted[1:len(quoted)-1]) + "'"
}

// number writes a number without an exponent.
func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func plural(one, many string, n int) string {
	if n == 1 {
		return one
	}
	return many
}
