package vfs

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Auto, alone in the list of watch paths, is the same as an empty list: everything that belongs to the project.
const Auto = "auto"

// A scope is what of a folder is looked into.
type scope struct {
	auto     bool
	paths    []string // relative to the folder, "." is all of it
	warnings []string
	err      error // why nothing at all is looked into
}

// newScope reads watch paths. Those that can't be used are left out with a warning; when none is left, err says why.
func newScope(folder Folder, watchPaths []string) scope {
	if len(watchPaths) == 0 || len(watchPaths) == 1 && watchPaths[0] == Auto {
		return scope{auto: true}
	}
	var s scope
	there := 0
	for _, given := range watchPaths {
		rel, problem := watchPath(folder, given)
		if problem != "" {
			s.warnings = append(s.warnings, fmt.Sprintf("watch path %s is not used: %s", given, problem))
			continue
		}
		if problem := missing(folder.Abs(rel)); problem != "" {
			s.warnings = append(s.warnings, fmt.Sprintf("watch path %s %s", given, problem))
		} else {
			there++
		}
		s.paths = append(s.paths, rel)
	}
	s.warnings = append(s.warnings, overlaps(s.paths)...)
	if there == 0 {
		s.err = scopeError("no watch path can be looked into (" + strings.Join(s.warnings, "; ") +
			"); correct index.watch_paths, or make it [\"auto\"]")
	}
	return s
}

// A scopeError says why the watch paths leave nothing.
type scopeError string

func (e scopeError) Error() string { return string(e) }

func (e scopeError) Unwrap() error { return ErrRefused }

// watchPath returns what is given relative to the folder, or the problem with it.
func watchPath(folder Folder, given string) (rel, problem string) {
	switch {
	case given == Auto:
		return "", `"auto" has to stand alone`
	case strings.HasPrefix(given, "~"), strings.HasPrefix(given, "$HOME"), strings.HasPrefix(given, "${HOME}"):
		return "", "a place in the home folder must be written as an absolute path"
	}
	abs := filepath.FromSlash(given)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(folder.Path, abs)
	}
	abs = Canonical(filepath.Clean(abs))
	if reason := refusal(abs); reason != "" {
		return "", "it is " + reason
	}
	rel, inside := folder.relCanonical(abs)
	if !inside {
		return "", "it lies outside of the workspace folder " + folder.Path
	}
	return rel, ""
}

// missing says what is wrong with a path that can't be looked into, "" when nothing is.
func missing(abs string) string {
	info, err := os.Stat(abs)
	switch {
	case os.IsNotExist(err):
		return "does not exist (yet)"
	case err != nil:
		return "can't be looked into: " + err.Error()
	case info.IsDir():
		dir, err := os.Open(abs)
		if err != nil {
			return "can't be looked into: " + err.Error()
		}
		dir.Close()
	}
	return ""
}

// overlaps warns of paths that lie in other ones.
func overlaps(paths []string) []string {
	var warnings []string
	for i, inner := range paths {
		for j, outer := range paths {
			if i != j && inScope(outer, inner) && (inner != outer || i < j) {
				warnings = append(warnings, fmt.Sprintf("watch paths %s and %s overlap: %s alone is enough", outer, inner, outer))
			}
		}
	}
	return warnings
}

// inScope reports whether rel is the watch path or lies below it.
func inScope(watchPath, rel string) bool {
	return watchPath == "." || rel == watchPath || strings.HasPrefix(rel, watchPath+"/")
}

// holds reports whether rel is looked into; for a folder also when it only leads to something that is.
func (s *scope) holds(rel string, isDir bool) bool {
	return s.auto || slices.ContainsFunc(s.paths, func(p string) bool {
		return inScope(p, rel) || isDir && inScope(rel, p)
	})
}

// named reports whether a watch path is rel or lies below it: then the folder is looked into even where its name alone
// would keep it out.
func (s *scope) named(rel string) bool {
	return slices.ContainsFunc(s.paths, func(p string) bool { return inScope(rel, p) })
}

// A Detection says what auto takes for the project.
type Detection struct {
	By      string   // ".git", "go.mod", "src/ and tests/", or "" when nothing tells: the folder as it is
	Sources []string // folders where source usually is, as far as they are there, sorted
}

// PackageFiles are what the top folder of a package has.
var PackageFiles = []string{"package.json", "pom.xml", "build.gradle", "build.gradle.kts", "Cargo.toml", "pyproject.toml", "setup.py", "go.mod"}

// sourceFolders are where source usually is.
var sourceFolders = []string{"app", "cmd", "config", "docs", "internal", "lib", "packages", "pkg", "services", "spec", "src", "test", "tests"}

// Detect looks at the top of a folder.
func Detect(dir string) Detection {
	var d Detection
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	for _, name := range sourceFolders {
		if isRealDir(filepath.Join(dir, name)) {
			d.Sources = append(d.Sources, name)
		}
	}
	if i := slices.IndexFunc(append([]string{".git"}, PackageFiles...), there); i >= 0 {
		d.By = append([]string{".git"}, PackageFiles...)[i]
		return d
	}
	switch {
	case slices.Contains(d.Sources, "src") && (slices.Contains(d.Sources, "tests") || slices.Contains(d.Sources, "test")):
		d.By = "src/ and tests/"
	case there("build"), there("target"):
		d.By = "build output"
	case there("README.md"):
		d.By = "README.md"
	}
	return d
}

// String says what was detected.
func (d Detection) String() string {
	by := "nothing tells where the project begins, so all of the folder counts"
	if d.By != "" {
		by = "found by " + d.By
	}
	if len(d.Sources) > 0 {
		by += "; source in " + strings.Join(d.Sources, "/, ") + "/"
	}
	return by
}

// extensionsOf yields the endings of a file's name, the longest first: ".d.ts", ".ts". A name that is all ending, such
// as .gitignore, has that one.
func extensionsOf(rel string, yield func(string) bool) {
	name := strings.ToLower(path.Base(rel))
	for i := range len(name) {
		if name[i] == '.' && !yield(name[i:]) {
			return
		}
	}
}
