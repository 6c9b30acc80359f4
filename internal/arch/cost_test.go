package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// atStart are calls whose result no variable of a package may be: each start of the program would wait for them.
var atStart = map[string]string{
	"regexp.MustCompile": "lazyregexp.New",
	"template.Must":      "sync.OnceValue",
}

// TestStarts holds down what aurora version takes.
func TestStarts(t *testing.T) {
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
					report(t, fset, vars)
				}
			}
		}
	}
	if files < 300 {
		t.Errorf("only %d files were read", files)
	}
}

// report complains about calls that are made at each start, which those in function literals are not.
func report(t *testing.T, fset *token.FileSet, in ast.Node) {
	ast.Inspect(in, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := selector.X.(*ast.Ident); ok {
				if better := atStart[pkg.Name+"."+selector.Sel.Name]; better != "" {
					t.Errorf("%s: %s.%s; use %s", fset.Position(n.Pos()), pkg.Name, selector.Sel.Name, better)
				}
			}
		}
		return true
	})
}
