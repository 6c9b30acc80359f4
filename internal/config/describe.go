package config

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A Key describes one setting.
type Key struct {
	Name     string   // index.max_file_size_mb
	Value    string   // what it may be: "a whole number in [1, 1024]"
	Default  string   // in JSON
	Env      string   // the environment variable that sets it
	Aliases  []string // other names that are accepted
	UserOnly bool     // a project's own file may not set it
}

// Keys describes every setting, in the order in which Settings has them.
func Keys() []Key {
	defaults := reflect.ValueOf(Defaults("~/.aurora")).Elem()
	var all []Key
	for _, k := range slices.SortedFunc(maps.Values(keys), func(a, b key) int { return slices.Compare(a.index, b.index) }) {
		value, err := json.Marshal(defaults.FieldByIndex(k.index).Interface())
		if err != nil {
			value = nil // no default is anything but plain data
		}
		all = append(all, Key{
			Name: k.name, Value: k.words(), Default: string(value), Env: k.env(), Aliases: aliasesOf(k.name), UserOnly: k.userOnly(),
		})
	}
	return all
}

func aliasesOf(name string) []string {
	var names []string
	for alias, of := range aliases {
		if of == name {
			names = append(names, alias)
		}
	}
	slices.Sort(names)
	return names
}

// words says what a value may be.
func (k key) words() string {
	switch k.field.Type.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number" + k.rangeRule(" ")
	case reflect.Float64:
		return "a number" + k.rangeRule(" ")
	case reflect.Slice:
		rule, special := itemRules[k.field.Tag.Get("format")]
		if !special {
			return "a list of strings"
		}
		return strings.TrimPrefix(rule, "Must be ")
	case reflect.Map:
		return "an object with a name for each member"
	}
	if words := k.field.Tag.Get("oneof"); words != "" {
		return "one of " + strings.ReplaceAll(words, ",", ", ")
	}
	if k.field.Tag.Get("format") == "path" {
		return "an absolute path, or one that begins with ~/"
	}
	return "a string"
}
