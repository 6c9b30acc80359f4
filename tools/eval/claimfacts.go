package eval

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A codeFunc is a function or method as the parser of its own language sees it; nothing of AURORA had a part in it.
type codeFunc struct {
	Name      string   `json:"name"`
	Container string   `json:"container"` // the type of a method, without pointers
	Path      string   `json:"path"`
	Line      int      `json:"line"` // one-based
	End       int      `json:"end"`
	Calls     []string `json:"calls"`      // last names of what it calls, those of imported packages left out
	Words     []string `json:"words"`      // all its identifiers
	Tests     []string `json:"conditions"` // of ifs, on one line
	Lines     []string `json:"lines"`      // statements that stand on one line
	Doc       string   `json:"doc"`        // first sentence
	Test      bool     `json:"test"`       // it stands in a test file
}

// qualified is the name with its container.
func (f *codeFunc) qualified() string {
	if f.Container == "" {
		return f.Name
	}
	return f.Container + "." + f.Name
}

func (f *codeFunc) calls(name string) bool    { return slices.Contains(f.Calls, name) }
func (f *codeFunc) mentions(name string) bool { return slices.Contains(f.Words, name) }

// readFuncs returns the functions of a folder that are in Go or Python, by the parsers of these languages. Python is left out
// where there is no python3.
func readFuncs(ctx context.Context, dir string) ([]*codeFunc, error) {
	all, err := goFuncs(dir)
	if err != nil {
		return nil, err
	}
	python, err := pythonFuncs(ctx, dir)
	return append(all, python...), err
}

// skippedFolders hold code of others, or none.
var skippedFolders = []string{".git", "vendor", "node_modules", "testdata", "_examples", "examples"}

func goFuncs(dir string) ([]*codeFunc, error) {
	var all []*codeFunc
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && slices.Contains(skippedFolders, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		list, err := goFileFuncs(path, filepath.ToSlash(rel))
		all = append(all, list...)
		return err
	})
	return all, err
}

// goFileFuncs are the functions of one file; one that does not parse has none.
func goFileFuncs(path, rel string) ([]*codeFunc, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, src, parser.ParseComments)
	if err != nil {
		return nil, nil //nolint:nilerr // what is no Go is not asked about
	}
	imported := map[string]bool{}
	for _, i := range file.Imports {
		name := strings.Trim(i.Path.Value, `"`)
		name = name[strings.LastIndexByte(name, '/')+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		imported[name] = true
	}
	var list []*codeFunc
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok && d.Body != nil {
			list = append(list, goFunc(set, d, imported, rel))
		}
	}
	return list, nil
}

func goFunc(set *token.FileSet, d *ast.FuncDecl, imported map[string]bool, rel string) *codeFunc {
	f := &codeFunc{
		Name: d.Name.Name, Path: rel, Line: set.Position(d.Pos()).Line, End: set.Position(d.End()).Line,
		Doc: firstSentence(d.Doc.Text()), Test: strings.HasSuffix(rel, "_test.go"),
	}
	if d.Recv != nil && len(d.Recv.List) == 1 {
		ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && f.Container == "" {
				f.Container = id.Name
			}
			return true
		})
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			f.Words = append(f.Words, n.Name)
		case *ast.CallExpr:
			f.called(n, imported)
		case *ast.IfStmt:
			f.Tests = appendLine(f.Tests, set, n.Cond)
		case *ast.AssignStmt:
			f.Lines = appendLine(f.Lines, set, n)
		case *ast.ReturnStmt:
			f.Lines = appendLine(f.Lines, set, n)
		}
		return true
	})
	return f
}

func (f *codeFunc) called(call *ast.CallExpr, imported map[string]bool) {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		f.Calls = append(f.Calls, fun.Name)
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); !ok || !imported[x.Name] {
			f.Calls = append(f.Calls, fun.Sel.Name)
		}
	}
}

// appendLine adds a node as it stands in the source, if it is on one line of a length that people quote.
func appendLine(list []string, set *token.FileSet, n ast.Node) []string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, set, n); err != nil {
		return list
	}
	if s := b.String(); quotable(s) {
		list = append(list, s)
	}
	return list
}

func quotable(s string) bool {
	return len(s) >= 12 && len(s) <= 70 && !strings.ContainsAny(s, "\n`\"“”")
}

// firstSentence is that of a comment, on one line.
func firstSentence(doc string) string {
	doc = strings.Join(strings.Fields(doc), " ")
	if at := strings.Index(doc, ". "); at >= 0 {
		doc = doc[:at+1]
	}
	return doc
}

//go:embed claimfacts.py
var pythonProgram string

// pythonFuncs has Python's own parser read the folder.
func pythonFuncs(ctx context.Context, dir string) ([]*codeFunc, error) {
	python, err := exec.LookPath("python3")
	if err != nil {
		return nil, nil //nolint:nilerr // without Python there are no questions about it
	}
	out, err := exec.CommandContext(ctx, python, "-c", pythonProgram, dir).Output()
	if err != nil {
		return nil, fmt.Errorf("read the Python files of %s: %w", dir, err)
	}
	var all []*codeFunc
	if err := json.Unmarshal(out, &all); err != nil {
		return nil, fmt.Errorf("read the Python files of %s: %w", dir, err)
	}
	for _, f := range all {
		f.Doc = firstSentence(f.Doc)
		f.Tests = slices.DeleteFunc(f.Tests, func(s string) bool { return !quotable(s) })
		f.Lines = slices.DeleteFunc(f.Lines, func(s string) bool { return !quotable(s) })
	}
	return all, nil
}
