package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// openers give a command parts of the program to work with itself. workspace.OpenAnswers and its kin are none of them: they
// give it the operations, of a daemon or of this process.
var openers = []string{
	"workspace.OpenProject", "workspace.OpenMemorySession", "workspace.OnJournal", "workspace.NewBook", "workspace.Wire", "workspace.OpenAgents", "sqlite.Open",
}

// inProcess are the files that open parts themselves, with their commands. docs/architecture.md says why each has to.
var inProcess = map[string][]string{
	"admin/checkmodel.go":  {"doctor --llm"},
	"admin/logs.go":        {"logs"},
	"admin/report.go":      {"report"},
	"agents/agents.go":     {"agents run"},
	"agents/headless.go":   {"headless"},
	"index/push.go":        {"index --push"},
	"memory/memkeep.go":    {"mem export", "mem import"},
	"memory/sealer.go":     {"mem encryption"},
	"serve/daemon.go":      {"daemon"},
	"serve/serve.go":       {"serve"},
	"serve/serveshared.go": {"serve"},
	"team/team.go":         {"team join", "team leave", "team status"},
}

// TestCommandsCallOperations keeps commands views of the registry: all but the ones above call operations.
func TestCommandsCallOperations(t *testing.T) {
	found := map[string]bool{}
	root := "../cli"
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == "workspace" || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			if err == nil && d.IsDir() && d.Name() == "workspace" {
				return filepath.SkipDir
			}
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if opensParts(file) {
			found[filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(inProcess)); !slices.Equal(got, want) {
		t.Errorf("files that open parts of the program: %v, want %v", got, want)
	}
	doc, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, commands := range inProcess {
		for _, command := range commands {
			if !strings.Contains(string(doc), "`"+command+"`") {
				t.Errorf("docs/architecture.md does not say why %s stays in its process", command)
			}
		}
	}
}

func opensParts(file *ast.File) (opens bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && slices.Contains(openers, x.Name+"."+s.Sel.Name) {
				opens = true
			}
		}
		return true
	})
	return opens
}
