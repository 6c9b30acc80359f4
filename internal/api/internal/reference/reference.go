package reference

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
)

// parse reads the types of the package in dir, with their comments.
func parse(dir string) (*doc.Package, error) {
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("read %s: no Go files: %w", dir, err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, "api")
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	return p, nil
}

// Page returns the reference of the operations of r and of the types of the package in dir.
func Page(dir string, r *api.Registry) (string, error) {
	p, err := parse(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(strings.NewReplacer("<!-- methods -->", methods(r.Behind(api.LSP)), "<!-- others -->", methods(others(r))).Replace(intro))
	w := newWriter(p)
	for _, t := range p.Types {
		w.write(&b, t)
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

// A writer knows which structs are only parts of others: those have no section of their own.
type writer struct {
	parts map[string]*ast.StructType
	docs  map[string]string
}

// collect notes the parts of a struct. All types are declared before any is written.
func (w *writer) collect(t *doc.Type) {
	spec, fields := structOf(t)
	if fields == nil {
		return
	}
	w.parts[spec.Name.Name], w.docs[spec.Name.Name] = fields, oneLine(t.Doc)
}

// structOf returns the declaration of a struct with JSON names, nil for other types.
func structOf(t *doc.Type) (*ast.TypeSpec, *ast.StructType) {
	spec, ok := t.Decl.Specs[0].(*ast.TypeSpec)
	if !ok {
		return nil, nil
	}
	fields, ok := spec.Type.(*ast.StructType)
	if !ok || !slices.ContainsFunc(fields.Fields.List, func(f *ast.Field) bool { return f.Tag != nil }) {
		return nil, nil
	}
	return spec, fields
}

// embedded returns the struct that a field embeds, nil for other fields.
func (w *writer) embedded(f *ast.Field) *ast.StructType {
	name, ok := f.Type.(*ast.Ident)
	if !ok || len(f.Names) > 0 {
		return nil
	}
	return w.parts[name.Name]
}

// isPart reports whether a struct is embedded in another one, and no field has it as its type.
func (w *writer) isPart(name string) bool {
	embedded := false
	for _, other := range w.parts {
		for _, f := range other.Fields.List {
			if len(f.Names) > 0 && mentions(f.Type, name) {
				return false
			}
			embedded = embedded || w.embedded(f) == w.parts[name]
		}
	}
	return embedded
}

// mentions reports whether a type is made of another one of that name.
func mentions(t ast.Expr, name string) bool {
	found := false
	ast.Inspect(t, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// write adds a struct with its fields, in the order of the code.
func (w *writer) write(b *strings.Builder, t *doc.Type) {
	_, fields := structOf(t)
	if fields == nil || w.isPart(t.Name) {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n| field | type | |\n|---|---|---|\n", t.Name, oneLine(t.Doc))
	w.writeFields(b, fields)
}

func (w *writer) writeFields(b *strings.Builder, fields *ast.StructType) {
	for _, f := range fields.Fields.List {
		if part := w.embedded(f); part != nil {
			w.writeFields(b, part)
			continue
		}
		writeField(b, f)
	}
}

func writeField(b *strings.Builder, f *ast.Field) {
	name, optional := jsonName(f)
	if name == "" {
		return
	}
	if optional {
		name += "?"
	}
	fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, typeName(f.Type), oneLine(cmp.Or(f.Doc.Text(), f.Comment.Text())))
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
