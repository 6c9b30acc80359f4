package rank

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// unasked is the kind of a file that people seldom look for, "" for others and when the query names the kind or certain paths.
func (r *Ranking) unasked(c *Candidate) string {
	if r.Narrow || r.Kind == PlaceQuery {
		return ""
	}
	kind := r.kinds.of(c.Ref.File)
	if kind != "" && r.asksFor(kind) {
		return ""
	}
	c.demoted = cmp.Or(kind, c.demoted)
	return kind
}

// unaskedShare is how much speaks against a file that people seldom look for, 0..1. Generated code may be the code itself, as a bundle
// of another package is: it comes later only as far as ordinary code holds what was asked for, too.
func (r *Ranking) unaskedShare(c *Candidate) float64 {
	switch r.unasked(c) {
	case "":
		return 0
	case codebase.GeneratedCode:
		return c.file.rival
	}
	return 1
}

// demotion lowers what people seldom look for, unless their query names it.
func (r *Ranking) demotion(c *Candidate) float64 {
	switch r.unasked(c) {
	case "":
		return 1
	case codebase.TestCode:
		return rules.Test
	case codebase.GeneratedCode:
		if r.Kind == SymbolQuery && chunk.IsLockFile(c.Ref.File.Path) { // it declares nothing
			return rules.Lock
		}
		return 1 - r.unaskedShare(c)*(1-rules.Generated)
	case codebase.VendoredCode:
		return rules.Vendored
	case codebase.ExampleCode:
		return rules.Example
	}
	return rules.Documents
}

func (r *Ranking) asksFor(kind string) bool {
	return slices.ContainsFunc(kindWords[kind], func(word string) bool { return strings.Contains(r.lower, word) })
}

// kindWords are the words of a query that ask for a kind of file.
var kindWords = map[string][]string{
	codebase.TestCode:      {"test", "spec", "mock", "fixture", "bench"},
	codebase.GeneratedCode: {"generated", ".pb.", "zz_", "dist/", "bundle"},
	codebase.VendoredCode:  {"vendor", "third_party", "node_modules"},
	codebase.ExampleCode:   {"example", "sample", "demo"},
	codebase.DocumentFiles: {
		"doc", "readme", "changelog", "license", "guide", "tutorial", "install", "contribut", "setting", "yaml", "toml", "json", "html",
		"css", "markdown", "dependenc", "version", "workflow",
	},
}

// fileKinds are the kinds of the files that were looked at: codebase.KindOf looks for a dozen patterns in a path.
type fileKinds map[*index.File]string

func (k *fileKinds) of(f *index.File) string {
	if *k == nil {
		*k = fileKinds{}
	}
	kind, known := (*k)[f]
	if !known {
		kind = codebase.KindOf(f)
		(*k)[f] = kind
	}
	return kind
}
