package config

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A KeyInfo describes one value that can be set.
type KeyInfo struct {
	Name     string   `json:"key"`
	Type     string   `json:"type"` // boolean, integer, number, string, array (of strings)
	Doc      string   `json:"doc"`
	Rule     string   `json:"rule"` // in words
	Words    []string `json:"words,omitempty"`
	Default  any      `json:"default"`
	Env      string   `json:"env"`                // the variable that sets it
	UserOnly bool     `json:"userOnly,omitempty"` // a project's file may set it in a trusted workspace only
	OnPage   bool     `json:"-"`                  // on the settings page of VS Code
}

// Keys describes everything that can be set, in the order of Settings. Paths in defaults begin with ~.
func Keys() []KeyInfo { return slices.Clone(allKeys()) }

// allKeys describes the keys once: they do not change while a program runs.
var allKeys = sync.OnceValue(describeKeys)

func describeKeys() []KeyInfo {
	docs := keyDocs()
	defaults := Defaults("~/.aurora")
	var infos []KeyInfo
	for _, k := range slices.SortedFunc(maps.Values(keys), func(a, b key) int { return slices.Compare(a.index, b.index) }) {
		name := k.name
		info := KeyInfo{
			Name: name, Type: k.jsonType(), Doc: docs[name], Rule: k.rule(), Env: k.env(), UserOnly: k.userOnly(), OnPage: k.onPage(),
			Default: reflect.ValueOf(defaults).Elem().FieldByIndex(k.index).Interface(),
		}
		if words := k.field.Tag.Get("oneof"); words != "" {
			info.Words = strings.Split(words, ",")
		}
		infos = append(infos, info)
	}
	return infos
}

// Describe returns one key by its name; ok is false when there is none.
func Describe(name string) (info KeyInfo, ok bool) {
	k, ok := keys[canonical(name)]
	if !ok {
		return KeyInfo{}, false
	}
	infos := Keys()
	i := slices.IndexFunc(infos, func(info KeyInfo) bool { return info.Name == k.name })
	return infos[i], true
}

// Nearest returns the key that name was probably meant to be, or "".
func Nearest(name string) string { return nearest(canonical(name)) }

// IsGroup reports whether name stands for several keys, as search.providers does.
func IsGroup(name string) bool { return groups[canonical(name)] }

// Value returns the effective value of a key; nil for one that does not exist.
func (s *Settings) Value(name string) any {
	k, ok := keys[name]
	if !ok {
		return nil
	}
	return reflect.ValueOf(s).Elem().FieldByIndex(k.index).Interface()
}

// Parse reads what a person typed for a key, as it is to stand in a file: lists as a JSON array or separated by commas.
// The error, an *Error, tells the rule that the text breaks.
func Parse(name, text string) (any, error) {
	k, ok := keys[canonical(name)]
	if !ok {
		return nil, fmt.Errorf("there is no key %s", name)
	}
	given := k.parse(text)
	if _, rule := k.convert(given, false, os.LookupEnv); rule != "" {
		return nil, &Error{Problems: []Problem{{Source: "command line", Key: k.name, Rule: rule, Got: show(given)}}}
	}
	if s, ok := given.(string); ok && k.field.Tag.Get("oneof") != "" {
		return strings.ToLower(s), nil
	}
	return given, nil
}

// UserFile and ProjectFile are where settings are kept; there need not be a file yet.
func UserFile() (string, error) {
	home, err := Home()
	return FileIn(home), err
}

// ProjectFile is the settings of a project's folder.
func ProjectFile(root string) string { return FileIn(filepath.Join(root, ".aurora")) }

// jsonType is the type of k in JSON.
func (k key) jsonType() string {
	switch k.field.Type.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "array"
	case reflect.Map:
		return "object"
	}
	return "string"
}

// rule says in words which values are allowed: what an error asks for.
func (k key) rule() string {
	_, rule := k.convert(struct{}{}, false, os.LookupEnv)
	if special, ok := itemRules[k.field.Tag.Get("format")]; ok && k.field.Type.Kind() == reflect.Slice {
		rule = special
	}
	if words := k.field.Tag.Get("oneof"); words != "" {
		return oneOf(words)
	}
	switch {
	case k.field.Tag.Get("format") == "path":
		return "an absolute path, or one that begins with ~/"
	case k.field.Type.Kind() == reflect.Map && k.field.Type.Elem().Kind() == reflect.Struct:
		return "an object with a name for each member"
	}
	return strings.TrimPrefix(rule, "Must be ")
}

//go:embed settings.go workspace.go models.go reasoning.go records.go
var settingsSource embed.FS

// keyDocs are the doc comments of Settings by key. They are read from the source, so that they can't go stale.
var keyDocs = sync.OnceValue(func() map[string]string {
	docs := map[string]string{}
	fields := map[string]string{} // Type.Field to comment
	types := map[string]string{}
	files, _ := settingsSource.ReadDir(".") // embedded, as all of them
	for _, file := range files {
		if source, err := settingsSource.ReadFile(file.Name()); err == nil {
			readDocs(source, fields, types)
		}
	}
	for name, k := range keys {
		docs[name] = docOf(k, fields, types)
		for group, depth := name, len(k.index)-1; depth > 0; depth-- {
			around := reflect.TypeFor[Settings]().FieldByIndex(k.index[:depth])
			if !around.Anonymous {
				group = group[:strings.LastIndexByte(group, '.')]
				docs[group] = types[around.Type.Name()]
			}
		}
	}
	return docs
})

// readDocs adds the doc comments of a source file's types and of the fields of its structs.
func readDocs(source []byte, fields, types map[string]string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments)
	if err != nil {
		return // the compiler read the same text
	}
	ast.Inspect(file, func(n ast.Node) bool {
		decl, ok := n.(*ast.GenDecl)
		if !ok || decl.Tok != token.TYPE {
			return true
		}
		for _, spec := range decl.Specs {
			t := spec.(*ast.TypeSpec)
			types[t.Name.Name] = oneLine(decl.Doc.Text())
			if s, ok := t.Type.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					for _, name := range f.Names {
						fields[t.Name.Name+"."+name.Name] = oneLine(f.Doc.Text())
					}
				}
			}
		}
		return false
	})
}

// GroupDoc is the doc comment of what several keys begin with, as search.providers; "" for anything else.
func GroupDoc(name string) string { return keyDocs()[name] }

// docOf is the comment of the key's field, else that of the struct around it.
func docOf(k key, fields, types map[string]string) string {
	t := reflect.TypeFor[Settings]()
	doc := ""
	for _, i := range k.index {
		field := t.Field(i)
		if own := fields[t.Name()+"."+field.Name]; own != "" {
			doc = own
		} else if around := types[field.Type.Name()]; around != "" && field.Type.Kind() == reflect.Struct {
			doc = around
		}
		t = field.Type
	}
	return doc
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
