// Package reference writes the documentation of the settings from their struct.
//
// It guarantees that every key is on the page, with the comment of its field, its range, its default and its names. It
// is used by tests and by go generate only.
package reference

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/config"
)

//go:embed intro.md
var intro string

// Page returns docs/configuration.md. dir is the folder of package config.
func Page(dir string) (string, error) {
	comments, err := readComments(filepath.Join(dir, "settings.go"))
	if err != nil {
		return "", fmt.Errorf("read the settings: %w", err)
	}
	var b strings.Builder
	b.WriteString("<!-- Generated from internal/config/settings.go by make generate; edit that file, or internal/config/internal/reference/intro.md. -->\n\n")
	b.WriteString(intro)
	group := ""
	for _, k := range config.Keys() {
		if now := groupOf(k.Name); now != group {
			group = now
			fmt.Fprintf(&b, "\n### `%s`\n\n%s\n", group, comments[group])
		}
		if comments[k.Name] == "" {
			return "", fmt.Errorf("the field of %s has no comment", k.Name)
		}
		writeKey(&b, k, comments[k.Name])
	}
	return b.String(), nil
}

func writeKey(b *strings.Builder, k config.Key, comment string) {
	fmt.Fprintf(b, "\n**`%s`**: %s\n\n* %s; default `%s`\n* `%s`", k.Name, comment, k.Value, k.Default, k.Env)
	for _, alias := range k.Aliases {
		fmt.Fprintf(b, ", also `%s`", alias)
	}
	b.WriteByte('\n')
	if k.UserOnly {
		b.WriteString("* a project's own file can't set it\n")
	}
}

// groupOf is the part of a key that its heading names: index, index.bootstrap.
func groupOf(name string) string { return name[:strings.LastIndexByte(name, '.')] }

// readComments returns the comment of every key and of every group, by their names.
func readComments(path string) (map[string]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	r := reader{structs: map[string]*ast.StructType{}, docs: map[string]string{}, comments: map[string]string{}}
	for _, decl := range file.Decls {
		if types, ok := decl.(*ast.GenDecl); ok && types.Tok == token.TYPE {
			for _, spec := range types.Specs {
				r.addType(types, spec.(*ast.TypeSpec))
			}
		}
	}
	r.walk("Settings", "")
	return r.comments, nil
}

// A reader gathers the comments of structs and their fields.
type reader struct {
	structs  map[string]*ast.StructType
	docs     map[string]string // of types
	comments map[string]string
}

func (r *reader) addType(decl *ast.GenDecl, spec *ast.TypeSpec) {
	if s, ok := spec.Type.(*ast.StructType); ok {
		r.structs[spec.Name.Name] = s
		r.docs[spec.Name.Name] = oneLine(decl.Doc.Text())
	}
}

// walk goes through the struct of a name, whose keys begin with prefix.
func (r *reader) walk(name, prefix string) {
	for _, field := range r.structs[name].Fields.List {
		if field.Tag == nil {
			continue
		}
		key := prefix + reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json")
		kind, ok := field.Type.(*ast.Ident)
		if !ok || r.structs[kind.Name] == nil {
			r.comments[key] = oneLine(field.Doc.Text())
			continue
		}
		r.comments[key] = r.docs[kind.Name]
		r.walk(kind.Name, key+".")
	}
}

func oneLine(comment string) string { return strings.Join(strings.Fields(comment), " ") }
