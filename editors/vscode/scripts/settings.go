//go:build ignore

// Settings prints the settings of internal/config as JSON, in the order of the code: name, type, default, range, words,
// scope and comment of each. scripts/generate.mjs makes the extension's settings of it.
//
//	go run editors/vscode/scripts/settings.go internal/config
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/config"
)

// home stands for AURORA's folder in defaults, which are shown to people.
const home = "/~/.aurora"

// setting is one value that can be set.
type setting struct {
	Name    string `json:"name"` // search.bm25.k1
	Type    string `json:"type"` // of JSON Schema; arrays hold strings
	Default any    `json:"default"`
	Min     string `json:"min,omitempty"`
	Max     string `json:"max,omitempty"`
	OneOf   string `json:"oneof,omitempty"` // words separated by commas
	Scope   string `json:"scope,omitempty"` // "user" when a project may not set it
	Comment string `json:"comment"`
}

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: settings FOLDER"))
	}
	comments, err := readComments(os.Args[1])
	if err != nil {
		fail(err)
	}
	all := collect(reflect.ValueOf(*config.Defaults(home)), "", comments)
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "settings:", err)
	os.Exit(1)
}

// readComments returns the comment of each field by "Type.Field", and of each type by "Type".
func readComments(dir string) (map[string]string, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	fset, comments := token.NewFileSet(), map[string]string{}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(fset, files, "config", doc.AllDecls)
	if err != nil {
		return nil, err
	}
	for _, t := range pkg.Types {
		spec := t.Decl.Specs[0].(*ast.TypeSpec)
		fields, ok := spec.Type.(*ast.StructType)
		if !ok {
			continue
		}
		comments[t.Name] = oneLine(t.Doc)
		for _, f := range fields.Fields.List {
			for _, name := range f.Names {
				comments[t.Name+"."+name.Name] = oneLine(f.Doc.Text())
			}
		}
	}
	return comments, nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func collect(v reflect.Value, prefix string, comments map[string]string) []setting {
	var all []setting
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name := field.Tag.Get("json")
		if name == "" {
			continue
		}
		if field.Type.Kind() == reflect.Struct {
			all = append(all, collect(v.Field(i), prefix+name+".", comments)...)
			continue
		}
		comment := comments[v.Type().Name()+"."+field.Name]
		if v.Type().Name() == "Switch" { // one type for many features says nothing of each
			comment = "Turns " + strings.ReplaceAll(path.Base(strings.ReplaceAll(prefix, ".", "/")), "_", " ") + " on or off."
		} else if comment == "" {
			comment = comments[v.Type().Name()]
		}
		all = append(all, setting{
			Name: prefix + name, Type: typeName(field.Type), Default: defaultOf(v.Field(i)), Min: field.Tag.Get("min"),
			Max: field.Tag.Get("max"), OneOf: field.Tag.Get("oneof"), Scope: field.Tag.Get("scope"), Comment: comment,
		})
	}
	return all
}

func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64:
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

// defaultOf shows AURORA's folder as people write it.
func defaultOf(v reflect.Value) any {
	if file, ok := v.Interface().(string); ok {
		return strings.Replace(file, home, "~/.aurora", 1)
	}
	return v.Interface()
}
