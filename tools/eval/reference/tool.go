package reference

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// A Place is the beginning of a name in a file.
type Place struct {
	Path   string // relative to the checkout, with '/'
	Offset int    // in bytes
}

// A Use is a place that a tool reports: a reference to a name, or its definition.
type Use struct {
	Place
	Kind string // "call", "read", "write", "type", "import"; "" when the tool doesn't say
}

// A Question is what a tool is asked about names.
type Question string

// The questions.
const (
	References Question = "references"
	Definition Question = "definition"
)

// A Checkout is what a tool looks at.
type Checkout struct {
	Root      string   // absolute
	Files     []string // of the language, relative to Root
	Manifests []string // package.json files, relative to Root
}

// A Tool knows who refers to a name, because it knows the types.
type Tool interface {
	// Ask answers the same question about each name. References come without the definition itself.
	Ask(ctx context.Context, c *Checkout, q Question, names []Place) ([][]Use, error)
}

// A MissingError says which tool is not installed, and how to get it.
type MissingError struct{ Tool, Remedy string }

func (e *MissingError) Error() string { return e.Tool + " is not there: " + e.Remedy }

// Families are the languages that can be measured, by the names of graph.Family.
var Families = []string{"go", "javascript", "python", "jvm", "c", "php", "rust"}

// ToolFor returns the tool for a family of languages. What npm installs is looked for in node_modules below dir. clangd knows
// what a compile_commands.json at the top of the checkout tells it.
func ToolFor(family, dir string) (Tool, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	switch family {
	case "javascript":
		module := filepath.Join(dir, "node_modules", "typescript")
		return typescript{module}, needs("typescript", module, dir)
	case "python":
		server := filepath.Join(dir, "node_modules", "pyright", "langserver.index.js")
		return languageServer{command: []string{"node", server, "--stdio"}, language: "python"}, needs("pyright", server, dir)
	case "php":
		server := filepath.Join(dir, "node_modules", "intelephense", "lib", "intelephense.js")
		return languageServer{
			command: []string{"node", server, "--stdio"}, language: "php", isReady: isNotified("$/progress", `"end"`),
			options: map[string]any{"storagePath": dir, "clearCache": true},
		}, needs("intelephense", server, dir)
	case "go":
		l := languageServer{command: []string{"gopls"}, language: "go"}
		return l, l.installed("go install golang.org/x/tools/gopls@latest, and put it into PATH")
	case "rust":
		l := languageServer{
			command: []string{"rust-analyzer"}, language: "rust", isReady: isNotified("experimental/serverStatus", `"quiescent":true`),
			options: map[string]any{"checkOnSave": false, "cargo": map[string]any{"buildScripts": map[string]any{"enable": false}}, "procMacro": map[string]any{"enable": false}},
		}
		return l, l.installed("rustup component add rust-analyzer rust-src")
	case "jvm":
		l := languageServer{command: []string{"jdtls"}, language: "java", unopened: true, isReady: isNotified("language/status", `"ServiceReady"`)}
		return l, l.installed("get the Eclipse JDT language server, and put it into PATH")
	case "c":
		l := languageServer{
			command: []string{"clangd", "--background-index", "--log=error"}, language: "cpp", isReady: isNotified("$/progress", `"end"`),
		}
		return l, l.installed("install clangd")
	}
	return nil, fmt.Errorf("no tool measures %q", family)
}

// isNotified returns a function that recognises a notification by its method and by a part of its parameters.
func isNotified(method, part string) func(string, json.RawMessage) bool {
	return func(m string, params json.RawMessage) bool {
		return m == method && bytes.Contains(params, []byte(part))
	}
}

// installed says what is missing when the server isn't in PATH.
func (l languageServer) installed(remedy string) error {
	if _, err := exec.LookPath(l.command[0]); err != nil {
		return &MissingError{l.command[0], remedy}
	}
	return nil
}

// needs says what is missing of a tool that npm installs.
func needs(name, path, dir string) error {
	if _, err := exec.LookPath("node"); err != nil {
		return &MissingError{"node", "install Node"}
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return &MissingError{name, fmt.Sprintf("npm install --prefix %s %s", dir, name)}
	}
	return nil
}
