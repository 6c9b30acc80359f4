package graph

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// A fileMatch is a file that fits an import, and how well.
type fileMatch struct {
	file  *File
	match int
}

// sure is how sure it is that the file is meant, were it the only one.
func (m fileMatch) sure() float64 {
	if m.match >= exactMatch {
		return sureOwn
	}
	return sureImported
}

// matches returns the files that fit an import best, in the order of their paths.
func (g *Graph) matches(imp chunk.Import, from *File) []fileMatch {
	key := importKey(imp, from)
	if list, ok := g.imported[key]; ok {
		return list
	}
	list := g.findMatches(imp, from)
	g.imported[key] = list
	return list
}

func (g *Graph) findMatches(imp chunk.Import, from *File) []fileMatch {
	if Family(from.Language) == "javascript" {
		if files := g.modules.resolve(imp.Path, from); len(files) > 0 {
			return exactly(files, from)
		}
	}
	if from.Language == "go" {
		if dir, found, _ := g.modules.goFolder(imp.Path, from); found {
			return sortedMatches(exactly(g.modules.goFiles(from.Folder, dir), from))
		}
	}
	if from.Language == "php" {
		for _, class := range classesOf(imp) {
			if files := g.modules.autoloaded(class, from); len(files) > 0 {
				return sortedMatches(exactly(files, from))
			}
		}
	}
	if from.Language == "rust" {
		if places := g.modules.crates.find(rustPath(imp), from); len(places) > 0 {
			var files []*File
			for _, p := range places {
				files = append(files, p.file)
			}
			return sortedMatches(exactly(files, from))
		}
	}
	var list []fileMatch
	best := 1
	for _, f := range g.candidates(imp, from) {
		if len(f.Chunks) == 0 {
			continue
		}
		if n := matchImport(imp, from, f); n >= best && (roots{g}).isRooted(imp, from, f) {
			if n > best {
				list = list[:0]
			}
			best = n
			list = append(list, fileMatch{f, n})
		}
	}
	if Family(from.Language) == "c" {
		switch found, known := g.modules.included(imp, from); {
		case found != nil:
			list = onlyIncluded(list, found)
		case known:
			return nil // of the system
		}
	}
	return sortedMatches(list)
}

// sortedMatches are matches in the order of their paths, each file once.
func sortedMatches(list []fileMatch) []fileMatch {
	slices.SortFunc(list, func(a, b fileMatch) int { return strings.Compare(a.file.Path, b.file.Path) })
	return slices.CompactFunc(list, func(a, b fileMatch) bool { return a.file == b.file })
}

// exactly are files that an import leads to without doubt.
func exactly(files []*File, from *File) []fileMatch {
	var list []fileMatch
	for _, f := range files {
		if f != from {
			list = append(list, fileMatch{f, exactMatch})
		}
	}
	return list
}

// importKey tells imports apart that may mean different files.
func importKey(imp chunk.Import, from *File) string {
	switch family := Family(from.Language); {
	case family == "go":
		return strings.Join([]string{family, from.Folder, imp.Path}, "\x00")
	case family == "javascript":
		return strings.Join([]string{family, from.Folder, path.Dir(from.Path), imp.Path}, "\x00")
	case family == "jvm", family == "csharp", family == "python" && !strings.HasPrefix(imp.Path, ".") && !standardPython[firstOf(imp.Path)]:
		return strings.Join([]string{family, from.Folder, imp.Path, imp.Name, imp.Of}, "\x00")
	}
	return strings.Join([]string{from.Folder, from.Path, imp.Path, imp.Name, imp.Of}, "\x00")
}

// candidates are the files that may fit an import: those with one of its words in their path.
func (g *Graph) candidates(imp chunk.Import, from *File) []*File {
	if strings.HasPrefix(imp.Path, "./") || strings.HasPrefix(imp.Path, "@") && !strings.HasPrefix(imp.Path, "@/") {
		// Looked for by path, or a package of elsewhere.
		return nil
	}
	var files []*File
	for _, word := range Words(imp) {
		files = append(files, g.src.FilesLike(word)...)
	}
	if family := Family(from.Language); family == "jvm" || family == "csharp" {
		for _, n := range g.definitions(last(imp.Path)) { // in files that say themselves of which package they are
			if declaresPackages[n.File.Language] {
				files = append(files, n.File)
			}
		}
	}
	return files
}

// Words are the words by which an import is found from the file that it means, and the file from the import: the last
// elements of its path, and its name, which may be a module of its own.
func Words(imp chunk.Import) []string {
	parts := strings.FieldsFunc(imp.Path, func(r rune) bool { return strings.ContainsRune(`/.\:<>"'{}, `, r) })
	words := slices.Clone(parts[max(0, len(parts)-2):])
	for _, name := range []string{imp.Name, imp.Of} {
		if name != "" && name != syntax.All && name != syntax.Default && name != "_" && name != "." {
			words = append(words, name)
		}
	}
	return words
}

// isBest reports whether a file is among those that fit an import best.
func (g *Graph) isBest(imp chunk.Import, from, to *File) bool {
	if family := Family(from.Language); family != "javascript" && family != "go" && family != "php" && family != "rust" {
		switch n := matchImport(imp, from, to); { // weighing one file is cheaper than weighing all
		case n == noMatch:
			return false
		case n >= exactMatch && declaresPackages[to.Language]:
			return true
		}
	}
	return slices.ContainsFunc(g.matches(imp, from), func(m fileMatch) bool { return m.file == to })
}

// Imports returns one edge for each import of a file that lies in the workspace, to the file or to the chief file of
// the package; outside are the paths of the others.
func (g *Graph) Imports(f *File) (edges []Edge, outside []string) {
	for _, imp := range f.Imports {
		list := g.matches(imp, f)
		if len(list) == 0 {
			if !slices.Contains(outside, imp.Path) {
				outside = append(outside, imp.Path)
			}
			continue
		}
		chosen := chiefs(list, imp.Path)
		for _, f := range chosen {
			edges = append(edges, newEdge(standIn(f), Import, list[0].sure()/float64(len(chosen)), "imports "+imp.Path))
		}
	}
	return settle(edges), outside
}

// Importers returns the files that import a file, or the package that it belongs to.
func (g *Graph) Importers(f *File) []Edge {
	seen := map[*File]bool{f: true}
	var edges []Edge
	for _, word := range g.moduleWords(f) {
		for _, from := range g.src.Importing(word) {
			if seen[from] || len(from.Chunks) == 0 || Family(from.Language) != Family(f.Language) {
				continue
			}
			seen[from] = true
			for _, imp := range from.Imports {
				for _, m := range g.matches(imp, from) {
					if m.file == f {
						edges = append(edges, newEdge(standIn(from), Import, m.sure(), "imports "+imp.Path))
					}
				}
			}
		}
	}
	return settle(edges)
}

// moduleWords are the words by which others may import a file.
func (g *Graph) moduleWords(f *File) []string {
	words := []string{stem(withoutExtension(f.Path)), path.Base(f.Path)}
	if name := g.modules.packageAround(f); name != "" {
		words = append(words, path.Base(name))
	}
	for dir := path.Dir(f.Path); dir != "." && len(words) < 5; dir = path.Dir(dir) {
		words = append(words, path.Base(dir))
	}
	if path.Dir(f.Path) == "." {
		words = append(words, path.Base(f.Folder))
	}
	return words
}

// chiefs picks one file of each folder: the one that is written out, or documents the package, or is named like it, or
// is the first that is no test. They come in the order of list.
func chiefs(list []fileMatch, written string) []*File {
	written = strings.Trim(written, "./<>\"")
	var out []*File
	for _, m := range list {
		i := slices.IndexFunc(out, func(f *File) bool { return sameFolder(f, m.file) })
		switch {
		case i < 0:
			out = append(out, m.file)
		case compareChiefs(m.file, out[i], written) < 0:
			out[i] = m.file
		}
	}
	return out
}

func compareChiefs(a, b *File, written string) int {
	rank := func(f *File) int {
		switch s := stem(f.Path); {
		case strings.HasSuffix(f.Path, written):
			return 0
		case syntax.IsTest(f.Path):
			return 4
		case s == "doc" || s == "__init__" || s == "mod" || s == "index":
			return 1
		case s == path.Base(path.Dir(f.Path)):
			return 2
		}
		return 3
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.Path, b.Path))
}

// standIn is the chunk that stands for a file: its first one.
func standIn(f *File) Node { return Node{f, 0} }

// ownerOf returns the type whose member an import makes known under a plain name, as an import of that type: import static shop.Prices.round
// and shop.Prices.*, using static Shop.Prices, use shop::Mode::*.
func ownerOf(imp chunk.Import, name, language string) (owner chunk.Import, ok bool) {
	owner = chunk.Import{Path: imp.Path, Line: imp.Line}
	switch Family(language) {
	case "jvm":
		if imp.Name == "" {
			owner.Path, ok = strings.CutSuffix(imp.Path, "."+name)
			return owner, ok
		}
		return owner, imp.Name == "*"
	case "csharp":
		return owner, imp.Name == ""
	case "rust":
		if imp.Name == "" {
			owner.Path, ok = strings.CutSuffix(imp.Path, "::"+name)
			return owner, ok
		}
		return owner, imp.Name == "*" || imp.Name == name && imp.Of == ""
	}
	return owner, false
}

// rateStatic weighs a method for a plain name that an import of its type's members may bring.
func rateStatic(g *Graph, name string, from, to Node) rating {
	for _, imp := range from.File.Imports {
		owner, ok := ownerOf(imp, name, from.File.Language)
		if ok && lastOfPath(owner.Path) == last(to.Chunk().Container) && g.isBest(owner, from.File, to.File) {
			return rating{confidence: sureImported, why: "imported from " + imp.Path}
		}
	}
	return rating{}
}

// lastOfPath is the last name of a path of Java, C# or Rust.
func lastOfPath(imported string) string { return last(imported[strings.LastIndex(imported, ":")+1:]) }
