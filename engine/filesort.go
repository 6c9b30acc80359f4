package engine

import (
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
)

// demotion lowers what people seldom look for, unless their query names it.
func (r *ranking) demotion(c *candidate) float64 {
	if r.narrow || r.kind == placeQuery {
		return 1
	}
	sort := codebase.KindOf(c.ref.File)
	if sort == "" || r.asksFor(sort) {
		return 1
	}
	c.demoted = sort
	switch sort {
	case codebase.TestCode:
		return rules.Test
	case codebase.GeneratedCode:
		return rules.Generated
	case codebase.VendoredCode:
		return rules.Vendored
	case codebase.ExampleCode:
		return rules.Example
	}
	return rules.Documents
}

func (r *ranking) asksFor(sort string) bool {
	return slices.ContainsFunc(sortWords[sort], func(word string) bool { return strings.Contains(r.lower, word) })
}

// sortWords are the words of a query that ask for a sort of file.
var sortWords = map[string][]string{
	codebase.TestCode:      {"test", "spec", "mock", "fixture", "bench"},
	codebase.GeneratedCode: {"generated", ".pb.", "zz_"},
	codebase.VendoredCode:  {"vendor", "third_party", "node_modules"},
	codebase.ExampleCode:   {"example", "sample", "demo"},
	codebase.DocumentFiles: {
		"doc", "readme", "changelog", "license", "guide", "tutorial", "install", "contribut", "setting", "yaml", "toml", "json", "html",
		"css", "markdown", "dependenc", "version", "workflow",
	},
}
