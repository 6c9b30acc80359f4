package graph

import (
	"slices"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// An origin is what an exported name leads to: a definition of that name in a file, or the file itself as a module.
type origin struct {
	file *File
	name string // syntax.All for the module, syntax.Default for what it exports without a name
}

// maxPassing bounds in how many files a name is looked for: a barrel may pass on hundreds.
const maxPassing = 1000

type originKey struct {
	file *File
	name string
}

// sources find where an imported name is defined: they follow barrels, aliases and exports through files.
type sources struct{ graph *Graph }

// originsOf returns what a file exports under a name, also when it only passes it on from other files.
func (g sources) originsOf(f *File, name string) []origin {
	key := originKey{f, name}
	if known, ok := g.graph.origins[key]; ok {
		return known
	}
	found := g.follow(f, name, map[originKey]bool{})
	g.graph.origins[key] = found
	return found
}

// follow is originsOf without what has been seen on the way.
func (g sources) follow(f *File, name string, seen map[originKey]bool) []origin {
	key := originKey{f, name}
	if seen[key] || len(seen) > maxPassing {
		return nil
	}
	seen[key] = true
	if name == syntax.All {
		return []origin{{f, name}}
	}
	for _, e := range f.Exports {
		if e.Name == name && (e.Path != "" || e.Of != name) {
			return g.followExport(f, e, seen)
		}
	}
	if found := g.followLocal(f, name, seen); found != nil {
		return found
	}
	for _, e := range f.Exports {
		if e.Name == syntax.All && name != syntax.Default {
			for _, to := range g.filesOf(chunk.Import{Path: e.Path}, f) {
				if found := g.follow(to, name, seen); found != nil {
					return found
				}
			}
		}
	}
	switch {
	case name == syntax.Default && isECMAScript(f.Language) && g.defines(f, wholeExport):
		return []origin{{f, wholeExport}}
	case name == syntax.Default:
		return []origin{{f, name}}
	}
	return nil
}

// wholeExport is the name that a function of JavaScript has which is all that its file exports: module.exports = function …
const wholeExport = "exports"

func (g sources) followExport(f *File, e chunk.Export, seen map[originKey]bool) []origin {
	if e.Path == "" {
		return g.followLocal(f, e.Of, seen)
	}
	for _, to := range g.filesOf(chunk.Import{Path: e.Path}, f) {
		if found := g.follow(to, e.Of, seen); found != nil {
			return found
		}
	}
	return nil
}

// followLocal returns what a name means inside a file: a definition of its own, or what it imports.
func (g sources) followLocal(f *File, name string, seen map[originKey]bool) []origin {
	if g.defines(f, name) {
		return []origin{{f, name}}
	}
	for _, imp := range f.Imports {
		if imp.Name != name && (imp.Name != syntax.All || Family(f.Language) == "javascript") && !(f.Language == "rust" && localName(imp, "rust") == name) {
			continue
		}
		for _, to := range g.filesOf(imp, f) {
			if found := g.follow(to, g.nameAbroad(imp, name, f, to), seen); found != nil {
				return found
			}
		}
	}
	return nil
}

// nameAbroad is what an imported name is called in the file that it comes from. A module of Python that is imported from
// its package is that file itself.
func (g sources) nameAbroad(imp chunk.Import, name string, from, to *File) string {
	if Family(from.Language) == "python" && namesModule(imp, from, to) {
		return syntax.All
	}
	if from.Language == "rust" && imp.Name != syntax.All {
		for _, p := range g.graph.modules.crates.find(rustPath(imp), from) {
			if p.file == to {
				return p.name
			}
		}
	}
	if imp.Of != "" {
		return imp.Of
	}
	return name
}

// filesOf returns the files that an import means.
func (g sources) filesOf(imp chunk.Import, from *File) []*File {
	var files []*File
	for _, m := range g.graph.matches(imp, from) {
		files = append(files, m.file)
	}
	return files
}

// defines reports whether a file defines a name outside of all types.
func (g sources) defines(f *File, name string) bool {
	return f.Types.Of(name) != "" || slices.ContainsFunc(f.Chunks, func(c chunk.Chunk) bool {
		return c.Name == name && isTopLevel(f, &c) && c.Type != chunk.Code
	})
}

// isTopLevel reports whether a chunk is in no type; in Rust it may be in a module of the file.
func isTopLevel(f *File, c *chunk.Chunk) bool {
	return c.Container == "" || f.Language == "rust" && c.Type != chunk.Method && !isUpper(last(c.Container))
}

// importOrigins returns what an imported name means.
func (g sources) importOrigins(imp chunk.Import, from *File) []origin {
	var found []origin
	for _, to := range g.filesOf(imp, from) {
		found = append(found, g.originsOf(to, g.nameAbroad(imp, imp.Name, from, to))...)
	}
	return found
}

// calledOrigins returns what an imported name means where it is called: of a module of JavaScript what it exports as a whole.
func (g sources) calledOrigins(imp chunk.Import, from *File) []origin {
	found := g.importOrigins(imp, from)
	for i, o := range found {
		if o.name != syntax.All || !isECMAScript(from.Language) {
			continue
		}
		if whole := g.originsOf(o.file, syntax.Default); len(whole) > 0 {
			found[i] = whole[0]
		}
	}
	return found
}

// comesFrom reports whether an imported plain name leads to a definition.
func (g sources) comesFrom(imp chunk.Import, name string, from *File, to Node) bool {
	c := to.Chunk()
	if !isTopLevel(to.File, c) {
		return false
	}
	if imp.Name != "" || from.Language != "rust" {
		imp.Name = name
	}
	return slices.ContainsFunc(g.calledOrigins(imp, from), func(o origin) bool {
		return o.file == to.File && (o.name == c.Name || o.name == syntax.Default)
	})
}

// means reports whether a file means the type of an origin by its name, so that what it implements of that name is of that type.
func (g sources) means(in *File, o origin) bool {
	w := g.graph.resolveType(o.name, "", Node{in, -1})
	return len(w.nodes) == 1 && w.nodes[0].File == o.file
}
