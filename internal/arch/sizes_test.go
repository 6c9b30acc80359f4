package arch

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Limits of what one person can hold in mind. Test files do not count.
const (
	maxLines   = 6000 // of a package
	maxFiles   = 40   // of a package
	maxFields  = 15   // of a struct; an embedded one counts as one
	maxMethods = 40   // of a type
	controller = 12   // methods from which on a struct counts as a controller, which no other struct may embed
)

// valuesInContext are the files that may pass a value in a context: where the library between caller and callee takes
// nothing else, and the value belongs to one request. A dependency is never passed that way.
var valuesInContext = []string{
	"engine/embedder/http.go", // an http.RoundTripper tells its caller how long the endpoint asks to wait
	"engine/llm/transport.go", // an http.RoundTripper hands its caller the answer's headers
	"lsp/rpc/calls.go",        // jsonrpc2 hands a handler nothing but the context; the value cancels this call
}

// TestSizes compares the violations of the limits with the list in testdata/known_sizes.txt. The list only shrinks: a
// violation that is not listed fails, and so does a listed one that is gone.
func TestSizes(t *testing.T) {
	var found []string
	types := map[string]*typeSize{}
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		if own := part(p.ImportPath); own == "examples" || own == "tools" {
			continue
		}
		found = append(found, measurePackage(t, path, p.Dir, types)...)
	}
	for name, size := range types {
		if size.fields > maxFields {
			found = append(found, fmt.Sprintf("%s: more than %d fields", name, maxFields))
		}
		if size.methods > maxMethods {
			found = append(found, fmt.Sprintf("%s: more than %d methods", name, maxMethods))
		}
		for _, embedded := range size.embeds {
			if other := types[embedded]; other != nil && other.isStruct && other.methods >= controller {
				found = append(found, fmt.Sprintf("%s: embeds the controller %s", name, embedded))
			}
		}
	}
	compareWithKnown(t, "testdata/known_sizes.txt", found)
}

// typeSize is what the limits look at in a type.
type typeSize struct {
	fields, methods int
	isStruct        bool
	embeds          []string // "package.Type"
}

// measurePackage returns the violations of a package as a whole and notes the sizes of its types.
func measurePackage(t *testing.T, path, dir string, types map[string]*typeSize) (found []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	var passing []string
	lines, documented := 0, false
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines += bytes.Count(text, []byte("\n"))
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(name) == "doc.go" && file.Doc != nil {
			documented = true
		}
		measureTypes(path, file, types)
		if passesValues(file) {
			passing = append(passing, path+"/"+filepath.Base(name))
		}
	}
	for _, name := range passing {
		if !slices.Contains(valuesInContext, name) {
			found = append(found, name+": passes a value in a context")
		}
	}
	if lines > maxLines {
		found = append(found, fmt.Sprintf("%s: more than %d lines", path, maxLines))
	}
	if len(names) > maxFiles {
		found = append(found, fmt.Sprintf("%s: more than %d files", path, maxFiles))
	}
	if !documented {
		found = append(found, path+": no package comment in doc.go")
	}
	return found
}

func measureTypes(path string, file *ast.File, types map[string]*typeSize) {
	of := func(name string) *typeSize {
		key := path + "." + name
		if types[key] == nil {
			types[key] = &typeSize{}
		}
		return types[key]
	}
	imports := map[string]string{}
	for _, spec := range file.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		name := imported[strings.LastIndex(imported, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = strings.TrimPrefix(imported, module)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				_, name := typeName(n.Recv.List[0].Type)
				of(name).methods++
			}
		case *ast.TypeSpec:
			if fields, ok := n.Type.(*ast.StructType); ok {
				measureStruct(of(n.Name.Name), fields, path, imports)
			}
		}
		return true
	})
}

func measureStruct(size *typeSize, fields *ast.StructType, path string, imports map[string]string) {
	size.isStruct = true
	for _, field := range fields.Fields.List {
		size.fields += max(1, len(field.Names))
		if len(field.Names) > 0 {
			continue
		}
		pkg, name := typeName(field.Type)
		if pkg == "" {
			pkg = path
		} else {
			pkg = imports[pkg]
		}
		size.embeds = append(size.embeds, pkg+"."+name)
	}
}

// typeName returns the name of a receiver's or an embedded field's type and the name of the package that stands before it.
func typeName(expr ast.Expr) (pkg, name string) {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return typeName(expr.X)
	case *ast.IndexExpr:
		return typeName(expr.X)
	case *ast.IndexListExpr:
		return typeName(expr.X)
	case *ast.SelectorExpr:
		_, pkg = typeName(expr.X)
		return pkg, expr.Sel.Name
	case *ast.Ident:
		return "", expr.Name
	}
	return "", ""
}

func passesValues(file *ast.File) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok && selector.Sel.Name == "WithValue" {
			if pkg, ok := selector.X.(*ast.Ident); ok && pkg.Name == "context" {
				found = true
			}
		}
		return !found
	})
	return found
}

// compareWithKnown fails for what was found and is not in the file of known violations, and for what the file still lists
// although it was not found.
func compareWithKnown(t *testing.T, listFile string, found []string) {
	t.Helper()
	known := map[string]bool{}
	for _, line := range listLines(t, listFile) {
		known[line] = true
	}
	slices.Sort(found)
	for _, violation := range slices.Compact(found) {
		if !known[violation] {
			t.Errorf("%s", violation)
		}
		delete(known, violation)
	}
	for _, violation := range slices.Sorted(maps.Keys(known)) {
		t.Errorf("%q does not hold any more: delete the line from internal/arch/%s", violation, listFile)
	}
}
