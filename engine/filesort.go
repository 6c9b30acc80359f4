package engine

import (
	"slices"
	"strings"
)

// demotion lowers what people seldom look for, unless their query names it.
func (r *ranking) demotion(c *candidate) float64 {
	if r.narrow || r.kind == placeQuery {
		return 1
	}
	sort := sortOf(c.ref.File)
	if sort == "" || r.asksFor(sort) {
		return 1
	}
	c.demoted = sort
	switch sort {
	case testCode:
		return rules.Test
	case generatedCode:
		return rules.Generated
	case vendoredCode:
		return rules.Vendored
	case exampleCode:
		return rules.Example
	}
	return rules.Documents
}

func (r *ranking) asksFor(sort string) bool {
	return slices.ContainsFunc(sortWords[sort], func(word string) bool { return strings.Contains(r.lower, word) })
}

// sortWords are the words of a query that ask for a sort of file.
var sortWords = map[string][]string{
	testCode:      {"test", "spec", "mock", "fixture", "bench"},
	generatedCode: {"generated", ".pb.", "zz_"},
	vendoredCode:  {"vendor", "third_party", "node_modules"},
	exampleCode:   {"example", "sample", "demo"},
	documents: {
		"doc", "readme", "changelog", "license", "guide", "tutorial", "install", "contribut", "setting", "yaml", "toml", "json", "html",
		"css", "markdown", "dependenc", "version", "workflow",
	},
}
