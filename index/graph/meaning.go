package graph

import (
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// Names says what names in a chunk mean, where one definition is likelier than all others.
type Names struct{ g *Graph }

// NewNames returns what a graph knows of names.
func NewNames(g *Graph) Names { return Names{g} }

// Means returns the one definition that a name in a chunk most probably means, and how sure that is; 0 when there is none,
// or more than one for which as much speaks. qualifier is what stands before the name, see chunk.Call.
func (n Names) Means(name, qualifier string, from Node) (Node, float64) {
	return only(n.g.resolveCall(chunk.Call{Name: name, Qualifier: qualifier}, from))
}

// TypeNamed returns the one type that a name in a chunk most probably means, and how sure that is.
func (n Names) TypeNamed(name, qualifier string, from Node) (Node, float64) {
	return only(n.g.resolveType(name, qualifier, Node{from.File, -1}))
}

// Aliases returns the other names under which files know a definition that they import, in the order of the alphabet.
func (n Names) Aliases(of Node) []string { return n.g.aliases(of) }

func only(w winners) (Node, float64) {
	if len(w.nodes) != 1 {
		return Node{}, 0
	}
	return w.nodes[0], w.confidence
}

// Method returns the method of this name that a type has itself.
func (n Names) Method(of Node, name string) (Node, bool) {
	for _, m := range n.g.definitions(name) {
		c := m.Chunk()
		sameType := m.File == of.File || of.File.Language == "go" && sameFolder(m.File, of.File)
		if c.Type != chunk.Class && c.Container != "" && last(c.Container) == of.Chunk().Name && sameType {
			return m, true
		}
	}
	return Node{}, false
}

// ImportedAs returns the files that a file knows under a name by its imports; known is false when it imports nothing of that
// name, and true without files for what lies outside of the workspace.
func (n Names) ImportedAs(f *File, name string) (files []*File, known bool) {
	for _, imp := range n.g.importsAs(f, name) {
		known = true
		for _, m := range n.g.matches(imp, f) {
			if !slices.Contains(files, m.file) {
				files = append(files, m.file)
			}
		}
	}
	return files, known
}

// Wildcards returns the files all of whose names a file takes in: from x import *, use x::*.
func (n Names) Wildcards(f *File) []*File {
	var files []*File
	for _, imp := range f.Imports {
		if imp.Name != "*" {
			continue
		}
		for _, m := range n.g.matches(imp, f) {
			if !slices.Contains(files, m.file) {
				files = append(files, m.file)
			}
		}
	}
	return files
}

// OwnersOf returns the types whose members a file may know by their plain names, one of them by this name.
func (n Names) OwnersOf(f *File, name string) (owners []Node) {
	for _, imp := range f.Imports {
		owner, ok := ownerOf(imp, name, f.Language)
		if !ok {
			continue
		}
		files := n.g.matches(owner, f)
		if f.Language == "rust" && lastOfPath(owner.Path) == strings.TrimPrefix(owner.Path, "self::") {
			files = append(exactly([]*File{f}, nil), files...)
		}
		for _, m := range files {
			for i := range m.file.Chunks {
				if c := &m.file.Chunks[i]; c.Type == chunk.Class && c.Name == lastOfPath(owner.Path) && !slices.Contains(owners, Node{m.file, i}) {
					owners = append(owners, Node{m.file, i})
				}
			}
		}
	}
	return owners
}

// Imports returns the imports by which a file knows a name.
func (n Names) Imports(f *File, name string) []chunk.Import { return n.g.importsAs(f, name) }

// Imported returns the files that one import of a file leads to, and how sure that is.
func (n Names) Imported(f *File, imp chunk.Import) (files []*File, sure float64) {
	for _, m := range n.g.matches(imp, f) {
		files, sure = append(files, m.file), m.sure()
	}
	return files, sure
}

// Modules returns the files that an import path of a file of JavaScript or TypeScript leads to.
func (n Names) Modules(path string, f *File) []*File {
	return sources{n.g}.filesOf(chunk.Import{Path: path}, f)
}

// IsModule reports whether a file is the module of that name, or the chief file of the package.
func IsModule(f *File, name string) bool { return isModule(f, name) }

// An Importer is a file that imports a definition, and the line, zero-based, where it does.
type Importer struct {
	File *File
	Line int
}

// Importers returns files that import a definition by its name, through files that pass it on, too: at most limit of those with the
// name are looked at, and more tells that there are others.
func (n Names) Importers(of Node, limit int) (found []Importer, more bool) {
	name, family := of.Chunk().Name, Family(of.File.Language)
	seen := map[*File]bool{of.File: true}
	for _, f := range n.g.src.Importing(name) {
		if seen[f] || Family(f.Language) != family {
			continue
		}
		if seen[f] = true; len(seen) > limit+1 {
			return found, true
		}
		at := slices.IndexFunc(f.Imports, func(imp chunk.Import) bool {
			return mayBring(imp, name) && sources{n.g}.comesFrom(imp, name, f, of)
		})
		if at >= 0 {
			found = append(found, Importer{f, f.Imports[at].Line})
		}
	}
	return found, false
}

// mayBring reports whether an import may bring in what has a name where it comes from.
func mayBring(imp chunk.Import, name string) bool {
	switch {
	case imp.Of == syntax.All:
		return false
	case imp.Of == syntax.Default:
		return imp.Name == name
	case imp.Of == "" && imp.Name == "":
		return imp.Path[strings.LastIndexAny(imp.Path, `:./\`)+1:] == name
	}
	return nameOf(imp) == name
}
