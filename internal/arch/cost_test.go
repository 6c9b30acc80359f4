package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// atStart are calls whose result no variable of a package may be: each start of the program would wait for them.
var atStart = map[string]string{
	"regexp.MustCompile": "lazyregexp.New",
	"template.Must":      "sync.OnceValue",
}

// heavy are generic functions that cost many kilobytes for each type; the lists of these packages are long, or are sorted
// while a search runs.
var (
	heavy     = map[string]string{"slices.SortFunc": "sortby.Func", "slices.SortStableFunc": "sortby.Stable", "slices.SortedFunc": "sortby.Sorted"}
	longLists = []string{"index", "index/snapshot", "index/embed", "index/lexical", "index/vector", "index/vfs"}
)

// TestStartsAndSizes holds down what aurora version takes, and the size of the program.
func TestStartsAndSizes(t *testing.T) {
	files := 0
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		if part(p.ImportPath) == "examples" || strings.HasPrefix(path, "cmd/aurora-") {
			continue
		}
		for _, name := range p.GoFiles {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files++
			for _, decl := range file.Decls {
				if vars, ok := decl.(*ast.GenDecl); ok && vars.Tok == token.VAR {
					report(t, fset, vars, atStart, false)
				}
			}
			if !slices.Contains(longLists, path) {
				report(t, fset, file, heavy, true)
			}
		}
	}
	if files < 300 {
		t.Errorf("only %d files were read", files)
	}
}

// report complains about calls of functions, those in function literals included when inside is set.
func report(t *testing.T, fset *token.FileSet, in ast.Node, instead map[string]string, inside bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok && !inside {
			return false
		}
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := selector.X.(*ast.Ident); ok {
				if better := instead[pkg.Name+"."+selector.Sel.Name]; better != "" {
					t.Errorf("%s: %s.%s; use %s", fset.Position(n.Pos()), pkg.Name, selector.Sel.Name, better)
				}
			}
		}
		return true
	})
}
