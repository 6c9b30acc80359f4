package config

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// A key is one value that can be set.
type key struct {
	name  string // search.bm25.k1
	index []int  // of the field in Settings, for reflect.Value.FieldByIndex
	field reflect.StructField
}

// userOnly reports whether a project's own file may not set k.
func (k key) userOnly() bool { return k.field.Tag.Get("scope") == "user" || k.ownerOnly() }

// ownerOnly reports whether not even the file of a trusted project may set k.
func (k key) ownerOnly() bool { return k.field.Tag.Get("scope") == "owner" }

// env is the environment variable that sets k.
func (k key) env() string { return "AURORA_" + strings.ToUpper(strings.ReplaceAll(k.name, ".", "_")) }

// onPage reports whether k is on the settings page of VS Code.
func (k key) onPage() bool {
	page := k.field.Tag.Get("page")
	return page == "yes" || page != "" && k.name == page+"."+k.field.Tag.Get("json")
}

// keys are all keys by name, groups the names above them.
var keys, groups = collectKeys()

func collectKeys() (map[string]key, map[string]bool) {
	keys, groups := map[string]key{}, map[string]bool{}
	var walk func(t reflect.Type, prefix string, index []int)
	walk = func(t reflect.Type, prefix string, index []int) {
		for i := range t.NumField() {
			field := t.Field(i)
			name := field.Tag.Get("json")
			at := append(index[:len(index):len(index)], i)
			switch {
			case field.Anonymous:
				walk(field.Type, prefix, at)
			case name == "":
			case field.Type.Kind() == reflect.Struct:
				groups[prefix+name] = true
				walk(field.Type, prefix+name+".", at)
			default:
				keys[prefix+name] = key{name: prefix + name, index: at, field: field}
			}
		}
	}
	walk(reflect.TypeFor[Settings](), "", nil)
	return keys, groups
}

// canonical returns the name of a key as files write it: editors write documentSymbol for document_symbol.
func canonical(name string) string {
	var b strings.Builder
	var last rune
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
	}
	return b.String()
}

// longestName is the length in bytes above which a name is no misspelling of a key.
const longestName = 100

// nearest returns the key, or else the group of keys, that name was probably meant to be, or "".
func nearest(name string) string {
	if len(name) > longestName {
		return ""
	}
	names := slices.Sorted(maps.Keys(keys))
	if near := closest(name, names); near != "" {
		return near
	}
	// The right name in the wrong place: bm25.k1, or index.limit.
	last := name[strings.LastIndexByte(name, '.')+1:]
	for _, known := range names {
		if last != "" && strings.HasSuffix(known, "."+last) {
			return known
		}
	}
	if near := closest(name, slices.Sorted(maps.Keys(groups))); near != "" {
		return near
	}
	for _, known := range names { // the beginning of one: scoring.pass
		if strings.Contains(name, ".") && strings.HasPrefix(known, name) {
			return known
		}
	}
	return ""
}

// closest returns that of names which is but a few bytes away from name, or "". One that goes on where name ends is
// the better guess of two.
func closest(name string, names []string) string {
	best, distance := "", max(2, len(name)/5)+1
	for _, known := range names {
		d := editDistance(name, known, distance+1)
		if d < distance || d == distance && best != "" && strings.HasPrefix(known, name) {
			best, distance = known, d
		}
	}
	return best
}

// editDistance is the number of bytes to insert, delete or replace to turn a into b, or limit when that is not less.
func editDistance(a, b string, limit int) int {
	if abs(len(a)-len(b)) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, diagonal+1)
		}
	}
	return min(row[len(b)], limit)
}

func abs(n int) int { return max(n, -n) }
