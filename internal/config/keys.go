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

// keys are all keys by name, groups the names above them, aliases other names of keys.
var (
	keys, groups = collectKeys()
	aliases      = collectAliases()
)

func collectKeys() (map[string]key, map[string]bool) {
	keys, groups := map[string]key{}, map[string]bool{}
	var walk func(t reflect.Type, prefix string, index []int)
	walk = func(t reflect.Type, prefix string, index []int) {
		for i := range t.NumField() {
			field := t.Field(i)
			name := field.Tag.Get("json")
			if name == "" {
				continue
			}
			at := append(index[:len(index):len(index)], i)
			if field.Type.Kind() == reflect.Struct {
				groups[prefix+name] = true
				walk(field.Type, prefix+name+".", at)
				continue
			}
			keys[prefix+name] = key{name: prefix + name, index: at, field: field}
		}
	}
	walk(reflect.TypeFor[Settings](), "", nil)
	return keys, groups
}

// collectAliases gathers the other names of keys and groups; the names above them are groups, too.
func collectAliases() map[string]string {
	aliases := map[string]string{}
	add := func(alias, name string) {
		aliases[alias] = name
		addGroups(alias)
	}
	for name := range settled {
		addGroups(name)
	}
	for name, k := range keys {
		for alias := range strings.SplitSeq(k.field.Tag.Get("alias"), ",") {
			if alias != "" {
				add(alias, name)
			}
		}
		// A key below a group with another name has one, too: hover.enabled is lsp.hover.enabled.
		t := reflect.TypeFor[Settings]()
		for i, at := range k.index[:len(k.index)-1] {
			group := t.Field(at)
			if alias := group.Tag.Get("alias"); alias != "" {
				rest := strings.Split(name, ".")[i+1:]
				add(alias+"."+strings.Join(rest, "."), name)
			}
			t = group.Type
		}
	}
	return aliases
}

// addGroups makes groups of the names above one.
func addGroups(name string) {
	for dot := strings.LastIndexByte(name, '.'); dot > 0; dot = strings.LastIndexByte(name[:dot], '.') {
		groups[name[:dot]] = true
	}
}

// find returns the key of a name or of another name for it.
func find(name string) (key, bool) {
	if k, ok := keys[name]; ok {
		return k, true
	}
	k, ok := keys[aliases[name]]
	return k, ok
}

// canonical returns the name of a key as files have it: editors write documentSymbol for document_symbol.
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

// nearest returns the key, or else the group of keys, that name was probably meant to be, or "".
func nearest(name string) string {
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
