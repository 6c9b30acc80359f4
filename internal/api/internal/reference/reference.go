// Package reference writes docs/protocol.md and docs/openapi.json from the operations and the wire types of package api,
// so that they can't say anything else than the code does.
package reference

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
)

// Page returns the reference of the operations of r and of the types of the package in dir.
func Page(dir string, r *api.Registry) (string, error) {
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		return "", fmt.Errorf("read %s: no Go files: %w", dir, err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return "", fmt.Errorf("read %s: %w", name, err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, "api")
	if err != nil {
		return "", fmt.Errorf("read %s: %w", dir, err)
	}
	var b strings.Builder
	b.WriteString(strings.NewReplacer("<!-- methods -->", methods(r.Behind(api.LSP)), "<!-- others -->", methods(others(r))).Replace(intro))
	for _, t := range p.Types {
		writeType(&b, t)
	}
	return b.String(), nil
}

// others lists the operations that are not open to editors.
func others(r *api.Registry) []*api.Operation {
	return slices.DeleteFunc(r.Behind(0), func(o *api.Operation) bool { return o.Doors.Has(api.LSP) })
}

// methods is a table of operations.
func methods(list []*api.Operation) string {
	var b strings.Builder
	b.WriteString("| method | parameters | result | |\n|---|---|---|---|\n")
	for _, o := range list {
		params := ""
		if o.Params().NumField() > 0 {
			params = o.Params().Name() + " "
		}
		fmt.Fprintf(&b, "| `%s` | %s| %s | %s |\n", o.Method(), params, o.Result().Name(), o.Doc)
	}
	return strings.TrimSpace(b.String())
}

// writeType adds a struct with its fields, in the order of the code.
func writeType(b *strings.Builder, t *doc.Type) {
	spec, ok := t.Decl.Specs[0].(*ast.TypeSpec)
	if !ok {
		return
	}
	fields, ok := spec.Type.(*ast.StructType)
	if !ok || !slices.ContainsFunc(fields.Fields.List, func(f *ast.Field) bool { return f.Tag != nil }) {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n| field | type | |\n|---|---|---|\n", t.Name, strings.TrimSpace(strings.ReplaceAll(t.Doc, "\n", " ")))
	for _, f := range fields.Fields.List {
		writeField(b, f)
	}
}

func writeField(b *strings.Builder, f *ast.Field) {
	if f.Tag == nil {
		return
	}
	tag, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return
	}
	name, options, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	if name == "" || name == "-" {
		return
	}
	optional := ""
	if strings.Contains(options, "omit") {
		optional = "?"
	}
	comment := cmp.Or(f.Doc.Text(), f.Comment.Text())
	fmt.Fprintf(b, "| `%s%s` | %s | %s |\n", name, optional, typeName(f.Type), strings.TrimSpace(strings.ReplaceAll(comment, "\n", " ")))
}

// typeName says a Go type in JSON's words.
func typeName(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return typeName(t.X)
	case *ast.ArrayType:
		return typeName(t.Elt) + "[]"
	case *ast.MapType:
		return "{" + typeName(t.Key) + ": " + typeName(t.Value) + "}"
	case *ast.SelectorExpr:
		if t.Sel.Name == "RawMessage" {
			return "any"
		}
		return t.Sel.Name
	case *ast.Ident:
		switch t.Name {
		case "bool":
			return "boolean"
		case "float64":
			return "number"
		case "int", "int64", "int32", "uint64", "uint32":
			return "integer"
		}
		return t.Name
	}
	return "any"
}
