package chunk

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// headerSize is how much of a text may hold the remark that a program wrote it.
const headerSize = 4 << 10

// generatedMark matches such a remark in a comment, and the first keys of lock files that have no comments.
var generatedMark = lazyregexp.New(`(?m)` +
	`^\s*(//|#|/?\*|--|<!--|;|%|"""|\(\*).*(@generated\b|Code generated .*DO NOT EDIT|[Aa]uto-?generated.*(?i:do not (edit|modify)))` +
	`|^# yarn lockfile v1|^\s*"?lockfileVersion"?:|"_readme": \[`)

// generatedHints are words of which every match of generatedMark has one; to look for them costs next to nothing.
var generatedHints = [][]byte{[]byte("generated"), []byte("lockfile"), []byte(`"_readme"`)}

// generated reports whether the text itself says that a program wrote it.
func generated(src []byte) bool {
	head := src[:min(len(src), headerSize)]
	hinted := func(hint []byte) bool { return bytes.Contains(head, hint) }
	return slices.ContainsFunc(generatedHints, hinted) && generatedMark.Match(head)
}

// GeneratedName reports whether files of that name are usually written by programs, whatever they say.
func GeneratedName(file string) bool {
	hasSuffix := func(suffix string) bool { return strings.HasSuffix(file, suffix) }
	return IsLockFile(file) || slices.ContainsFunc(generatedSuffixes, hasSuffix)
}

// IsLockFile reports whether files of that name list the versions that a package manager chose.
func IsLockFile(file string) bool {
	return slices.Contains(lockFiles, path.Base(strings.ReplaceAll(file, `\`, "/")))
}

var lockFiles = []string{
	"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "go.sum", "go.work.sum", "Cargo.lock",
	"poetry.lock", "uv.lock", "Pipfile.lock", "composer.lock", "Gemfile.lock", "mix.lock", "flake.lock", "gradle.lockfile",
	"Package.resolved", ".terraform.lock.hcl",
}

var generatedSuffixes = []string{
	".pb.go", ".pb.gw.go", "_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb.js", "_pb.d.ts", ".pb.cc", ".pb.h", ".g.cs", ".Designer.cs",
	".g.dart", "_generated.go", ".gen.go", ".min.js", ".min.css", ".bundle.js", ".js.map", ".css.map",
}
