package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
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
		return k.convertStrings(given, env)
	case reflect.Map:
		return k.convertMap(given, env)
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
		if strings.HasPrefix(strings.TrimSpace(s), "[") && json.Unmarshal([]byte(s), &list) == nil {
			return list
		}
		list = []any{}
		for item := range strings.SplitSeq(s, ",") {
			if item = strings.TrimSpace(item); item != "" {
				list = append(list, item)
			}
		}
		return list
	case reflect.Map:
		return k.parseMap(s)
	}
	return s
}

// parseMap reads an object as JSON or, where its members are strings, as name=value separated by commas.
func (k key) parseMap(s string) any {
	var object map[string]any
	if json.Unmarshal([]byte(s), &object) == nil && object != nil {
		return object
	}
	if k.field.Type.Elem().Kind() != reflect.String {
		return s
	}
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

func (k key) convertStrings(given any, env lookup) (reflect.Value, string) {
	const rule = "Must be a list of strings that are not empty"
	var list []any
	switch given := given.(type) {
	case []any:
		list = given
	case []string:
		for _, s := range given {
			list = append(list, s)
		}
	default:
		return reflect.Value{}, rule
	}
	strs := make([]string, len(list))
	for i, item := range list {
		s, ok := item.(string)
		if !ok || s == "" || strings.ContainsRune(s, 0) {
			return reflect.Value{}, rule
		}
		if s, ok = checkItem(s, k.field.Tag.Get("format"), env); !ok {
			return reflect.Value{}, itemRules[k.field.Tag.Get("format")]
		}
		strs[i] = s
	}
	return reflect.ValueOf(strs), ""
}

// itemRules say what the items of a list must be, by its format.
var itemRules = map[string]string{
	"glob":      "Must be a list of valid globs",
	"extension": "Must be a list of file extensions such as .go",
	"regexp":    "Must be a list of valid regular expressions",
	"path":      "Must be a list of absolute paths, or ones that begin with ~/",
	"output":    "Must be a list of outputs: " + strings.Join(logOutputs, ", "),
}

var extension = lazyregexp.New(`^\.?[^\s./\\*?\[\]]+(\.[^\s./\\*?\[\]]+)*$`)

// checkItem returns an item of a list as it is to be kept; ok is false when it breaks the list's format.
func checkItem(s, format string, env lookup) (kept string, ok bool) {
	switch format {
	case "glob":
		_, err := path.Match(strings.ReplaceAll(s, "[!", "[^"), "")
		return s, err == nil
	case "extension":
		return s, extension.MatchString(s)
	case "regexp":
		_, err := regexp.Compile(s)
		return s, err == nil
	case "path":
		path, err := expand(s, env)
		return path, err == nil
	case "output":
		return strings.ToLower(s), slices.Contains(logOutputs, strings.ToLower(s))
	}
	return s, true
}

// convertMap reads an object whose members are structs or strings, by names that are free.
func (k key) convertMap(given any, env lookup) (reflect.Value, string) {
	if k.field.Type.Elem().Kind() == reflect.String {
		return convertTable(given)
	}
	object, ok := given.(map[string]any)
	if !ok {
		return reflect.Value{}, "Must be an object { } with a name for each member"
	}
	kind := k.field.Type.Elem()
	members := reflect.MakeMapWithSize(k.field.Type, len(object))
	for name, member := range object {
		if name == "" || strings.ContainsFunc(name, unicode.IsSpace) || name == "*" {
			return reflect.Value{}, fmt.Sprintf("Must have names without spaces (not %q)", name)
		}
		values, ok := member.(map[string]any)
		if !ok {
			return reflect.Value{}, fmt.Sprintf("Must have an object { } for %s", name)
		}
		value, rule := convertMember(kind, values, env)
		if rule != "" {
			return reflect.Value{}, name + "." + rule
		}
		members.SetMapIndex(reflect.ValueOf(name), value)
	}
	return members, ""
}

// convertMember reads one struct; rule begins with the key that is wrong.
func convertMember(kind reflect.Type, values map[string]any, env lookup) (value reflect.Value, rule string) {
	value = reflect.New(kind).Elem()
	known := map[string]key{}
	for i := range kind.NumField() {
		field := kind.Field(i)
		known[field.Tag.Get("json")] = key{name: field.Tag.Get("json"), index: []int{i}, field: field}
		if field.Type.Kind() == reflect.Slice {
			value.Field(i).Set(reflect.MakeSlice(field.Type, 0, 0))
		}
	}
	for _, given := range slices.Sorted(maps.Keys(values)) {
		k, ok := known[canonical(given)]
		if !ok {
			return value, fmt.Sprintf("%s: is no key; known are %s", given, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		converted, rule := k.convert(values[given], false, env)
		if rule != "" {
			return value, k.name + ": " + rule
		}
		value.FieldByIndex(k.index).Set(converted)
	}
	return value, ""
}

// convertTable reads an object of strings. Neither names nor strings hold line breaks: some become headers.
func convertTable(given any) (reflect.Value, string) {
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
			return reflect.Value{}, "Must be " + oneOf(words)
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

// oneOf says which words are allowed: the list of a tag in words. It begins with a comma where "" is allowed, too.
func oneOf(words string) string {
	some, empty := strings.CutPrefix(words, ",")
	choices := "one of " + strings.ReplaceAll(some, ",", ", ")
	if empty {
		return "empty or " + choices
	}
	return choices
}

// whole is a value as the user has to see it before approving it.
func whole(given any) string {
	b, err := json.Marshal(given)
	if err != nil {
		return "something that is no JSON"
	}
	return string(b)
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
