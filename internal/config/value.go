package config

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// convert turns what a source holds into a value of k's type that keeps k's rule; rule says what was asked for when
// it does not. written is set for sources that only know strings, such as the environment.
func (k key) convert(given any, written bool, env lookup) (value reflect.Value, rule string) {
	if written {
		given = k.parse(given)
	}
	switch k.field.Type.Kind() {
	case reflect.Bool:
		if b, ok := given.(bool); ok {
			return reflect.ValueOf(b), ""
		}
		return reflect.Value{}, "Must be true or false"
	case reflect.Int:
		return k.convertInt(given)
	case reflect.Float64:
		return k.convertFloat(given)
	case reflect.Slice:
		return convertStrings(given)
	case reflect.Map:
		return convertMap(given)
	}
	return k.convertString(given, env)
}

// parse reads a string the way JSON would have said it; what it can't read it returns as it is.
func (k key) parse(given any) any {
	s, ok := given.(string)
	if !ok {
		return given
	}
	switch k.field.Type.Kind() {
	case reflect.Bool:
		if b, err := strconv.ParseBool(s); err == nil {
			return b
		}
	case reflect.Int, reflect.Float64:
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return f
		}
	case reflect.Slice:
		list := []any{}
		for item := range strings.SplitSeq(s, ",") {
			if item = strings.TrimSpace(item); item != "" {
				list = append(list, item)
			}
		}
		return list
	case reflect.Map:
		table := map[string]any{}
		for item := range strings.SplitSeq(s, ",") {
			name, value, found := strings.Cut(item, "=")
			if !found {
				return s
			}
			table[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
		return table
	}
	return s
}

func (k key) convertInt(given any) (reflect.Value, string) {
	f, ok := number(given)
	if !ok || f != math.Trunc(f) || !k.inRange(f) || math.Abs(f) > math.MaxInt32 {
		return reflect.Value{}, "Must be a whole number" + k.rangeRule(" ")
	}
	return reflect.ValueOf(int(f)), ""
}

func (k key) convertFloat(given any) (reflect.Value, string) {
	f, ok := number(given)
	if !ok || math.IsNaN(f) || math.IsInf(f, 0) {
		return reflect.Value{}, "Must be a number" + k.rangeRule(" ")
	}
	if !k.inRange(f) {
		return reflect.Value{}, "Must be " + k.rangeRule("")
	}
	return reflect.ValueOf(f), ""
}

// number accepts every numeric type that a decoder may yield.
func number(given any) (float64, bool) {
	v := reflect.ValueOf(given)
	switch {
	case !v.IsValid():
		return 0, false
	case v.CanFloat():
		return v.Float(), true
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	}
	return 0, false
}

func (k key) inRange(f float64) bool {
	low, high := k.bounds()
	return f >= low && f <= high
}

func (k key) bounds() (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if f, err := strconv.ParseFloat(k.field.Tag.Get("min"), 64); err == nil {
		low = f
	}
	if f, err := strconv.ParseFloat(k.field.Tag.Get("max"), 64); err == nil {
		high = f
	}
	return low, high
}

// rangeRule says the allowed range in words, after a separator; "" when everything is allowed.
func (k key) rangeRule(separator string) string {
	low, high := k.bounds()
	show := func(f float64) string {
		s := strconv.FormatFloat(f, 'f', -1, 64)
		if k.field.Type.Kind() == reflect.Float64 && !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	switch {
	case !math.IsInf(low, 0) && !math.IsInf(high, 0):
		return separator + "in [" + show(low) + ", " + show(high) + "]"
	case !math.IsInf(low, 0):
		return separator + "≥ " + show(low)
	case !math.IsInf(high, 0):
		return separator + "≤ " + show(high)
	}
	return ""
}

func convertStrings(given any) (reflect.Value, string) {
	const rule = "Must be a list of strings that are not empty"
	if list, ok := given.([]string); ok {
		return reflect.ValueOf(slices.Clone(list)), ""
	}
	list, ok := given.([]any)
	if !ok {
		return reflect.Value{}, rule
	}
	strs := make([]string, len(list))
	for i, item := range list {
		if strs[i], ok = item.(string); !ok || strs[i] == "" {
			return reflect.Value{}, rule
		}
	}
	return reflect.ValueOf(strs), ""
}

func convertMap(given any) (reflect.Value, string) {
	const rule = "Must be an object of strings { \"name\": \"value\" }"
	table, ok := given.(map[string]any)
	if !ok {
		return reflect.Value{}, rule
	}
	out := make(map[string]string, len(table))
	for name, value := range table {
		if out[name], ok = value.(string); !ok || name == "" || strings.ContainsAny(name+out[name], "\r\n\x00") {
			return reflect.Value{}, rule
		}
	}
	return reflect.ValueOf(out), ""
}

func (k key) convertString(given any, env lookup) (reflect.Value, string) {
	s, ok := given.(string)
	if !ok || strings.ContainsRune(s, 0) {
		return reflect.Value{}, "Must be a string"
	}
	if words := k.field.Tag.Get("oneof"); words != "" {
		s = strings.ToLower(s)
		if !slices.Contains(strings.Split(words, ","), s) {
			return reflect.Value{}, "Must be one of " + strings.ReplaceAll(words, ",", ", ")
		}
	}
	if k.field.Tag.Get("format") == "path" {
		path, err := expand(s, env)
		if err != nil {
			return reflect.Value{}, "Must be an absolute path, or one that begins with ~/"
		}
		s = path
	}
	return reflect.ValueOf(s), ""
}

// show is a value as an error message quotes it.
func show(given any) string {
	const longest = 60
	b, err := json.Marshal(given)
	if err != nil {
		return "something that is no JSON"
	}
	if len(b) <= longest {
		return string(b)
	}
	for end := longest; ; end-- {
		if utf8.RuneStart(b[end]) {
			return string(b[:end]) + "…"
		}
	}
}
