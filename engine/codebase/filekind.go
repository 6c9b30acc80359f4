package codebase

import (
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// The sorts of files that people seldom look for.
const (
	TestCode      = "test code"
	GeneratedCode = "generated code"
	VendoredCode  = "vendored code"
	ExampleCode   = "example code"
	DocumentFiles = "documents"
)

// KindOf tells which kind a file is of, "" for ordinary code.
func KindOf(f *index.File) string {
	kind := FileKind(f.Path)
	switch {
	case kind != "":
		return kind
	case f.Generated:
		return GeneratedCode
	case isDocument(f.Language):
		return DocumentFiles
	}
	return ""
}

// FileKind tells test, generated, vendored and example files by their path.
func FileKind(rel string) string {
	role := syntax.TestRoleOf(rel)
	rel = strings.ToLower(rel)
	base := path.Base(rel)
	switch {
	case hasFolder(rel, "vendor", "third_party", "thirdparty", "node_modules"):
		return VendoredCode
	case chunk.GeneratedName(rel) || isGeneratedFile(base) || isBundle(rel):
		return GeneratedCode
	case role != syntax.NoTest:
		return TestCode
	case hasFolder(rel, "example", "examples", "sample", "samples", "_examples", "demo", "demos"):
		return ExampleCode
	}
	return ""
}

// IsCodePath reports whether a path is one of code that is no test, no example, no document, and neither generated nor foreign.
func IsCodePath(rel string) bool {
	language := syntax.ByPath(rel)
	return language != nil && !isDocument(language.Name) && FileKind(rel) == ""
}

func isGeneratedFile(base string) bool {
	return strings.HasPrefix(base, "zz_generated") ||
		slices.ContainsFunc([]string{".pb.", "_generated.", ".gen.", ".min."}, func(mark string) bool { return strings.Contains(base, mark) })
}

// isBundle reports whether a path is one of what a bundler writes of the scripts and stylesheets of a package.
func isBundle(rel string) bool {
	switch path.Ext(rel) {
	case ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".css":
		return hasFolder(rel, "dist")
	}
	return false
}

// isDocument reports whether a language is prose or data rather than code.
func isDocument(language string) bool {
	switch language {
	case "text", "json", "yaml", "toml", "html", "css":
		return true
	}
	return syntax.IsProse(language)
}

func hasFolder(rel string, names ...string) bool {
	for {
		folder, rest, inside := strings.Cut(rel, "/")
		if !inside {
			return false
		}
		if slices.Contains(names, folder) {
			return true
		}
		rel = rest
	}
}

// SideCode is 1 for what stands in a test, an example, or generated or foreign code.
func SideCode(ref index.Ref) int {
	if FileKind(ref.File.Path) != "" {
		return 1
	}
	return 0
}
