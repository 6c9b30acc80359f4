package evidence

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
)

// Locate returns the file or folder that a person means by a path, a part of one, or a package name.
// A place is the relative or absolute path of a file or folder, the name of one, or
// a file's name without extension as long as no definition has that name. Of several, the shortest path is meant, one of the program
// before those of tests.
func (l *Workspace) Locate(place string) (string, bool) {
	place = l.relative(strings.Trim(filepath.ToSlash(place), "`'\" "))
	switch strings.ToLower(place) {
	case "", ".", "workspace", "project", "repo", "repository", "codebase", "here":
		return "", true
	}
	best, rank := "", 0
	order := func(a, b string) int {
		return cmp.Or(cmp.Compare(sideOf(a), sideOf(b)), cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	}
	consider := func(candidate string, r int) {
		if r > rank || r == rank && rank > 0 && order(candidate, best) < 0 {
			best, rank = candidate, r
		}
	}
	seen := map[string]bool{}
	for f := range l.Snap.Listed() {
		consider(f.Path, placeRank(f.Path, place))
		for dir := codebase.DirName(f.Path); dir != "" && !seen[dir]; dir = codebase.DirName(dir) {
			seen[dir] = true
			consider(dir, placeRank(dir, place))
		}
	}
	if rank > 0 {
		return best, true
	}
	if at, ok := l.locateStem(place); ok {
		return at, true
	}
	return l.locateModule(place)
}

// sideOf is 1 for a file or folder of tests, examples, or generated or foreign code.
func sideOf(place string) int {
	if codebase.FileKind(place) != "" || codebase.FileKind(place+"/x") != "" {
		return 1
	}
	return 0
}

// locateModule finds the file or folder of a module that is written with dots or colons, as a.b of Python and a::b of Rust.
func (l *Workspace) locateModule(place string) (string, bool) {
	spelled := strings.ReplaceAll(strings.ReplaceAll(place, "::", "/"), ".", "/")
	if spelled == place || strings.Contains(place, "/") || strings.ContainsAny(place, " \t") || len(l.Snap.Named(codebase.LastName(place), true)) > 0 {
		return "", false
	}
	return l.Shortest(func(file string) bool {
		stem := strings.TrimSuffix(file, path.Ext(file))
		return slices.ContainsFunc([]string{stem, strings.TrimSuffix(stem, "/__init__"), strings.TrimSuffix(stem, "/mod")}, func(candidate string) bool {
			return candidate == spelled || strings.HasSuffix(candidate, "/"+spelled)
		})
	})
}

// Shortest is the shortest path of a file that fits.
func (l *Workspace) Shortest(fits func(file string) bool) (best string, ok bool) {
	for f := range l.Snap.Listed() {
		if fits(f.Path) && (best == "" || len(f.Path) < len(best)) {
			best = f.Path
		}
	}
	return best, best != ""
}

// placeRank says how well a path is what was named: the whole of it, its end, or its last part in any letter case.
func placeRank(candidate, place string) int {
	switch {
	case candidate == place:
		return 3
	case strings.HasSuffix(candidate, "/"+place):
		return 2
	case strings.EqualFold(path.Base(candidate), place):
		return 1
	}
	return 0
}

func (l *Workspace) locateStem(place string) (string, bool) {
	if len(l.Snap.Named(place, true)) > 0 {
		return "", false
	}
	return l.Shortest(func(file string) bool {
		base := path.Base(file)
		return strings.EqualFold(strings.TrimSuffix(base, path.Ext(base)), place)
	})
}

// relative cuts the workspace folder off an absolute path.
func (l *Workspace) relative(place string) string {
	for _, folder := range l.parts.Index.Folders() {
		if rest, ok := strings.CutPrefix(place, filepath.ToSlash(folder)); ok && (rest == "" || rest[0] == '/') {
			return strings.Trim(rest, "/")
		}
	}
	return strings.TrimSuffix(strings.TrimPrefix(place, "./"), "/")
}
