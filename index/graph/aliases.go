package graph

import (
	"slices"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// aliases returns the other names under which files know a definition: what its own file exports it as, and what those
// call it that import it. They come in the order of the alphabet.
func (g *Graph) aliases(n Node) []string {
	c := n.Chunk()
	if !followed[Family(n.File.Language)] || c.Container != "" {
		return nil
	}
	var names []string
	add := func(name string) {
		if name != "" && name != c.Name && name != syntax.All && name != syntax.Default {
			names = append(names, name)
		}
	}
	abroad := []string{c.Name}
	if c.Name == wholeExport && isECMAScript(n.File.Language) {
		abroad = append(abroad, syntax.Default)
	}
	for _, e := range n.File.Exports {
		if e.Of == c.Name && e.Path == "" && e.Name != c.Name {
			abroad = append(abroad, e.Name)
			add(e.Name)
		}
	}
	for _, name := range abroad {
		for _, f := range g.importersOf(name, n.File) {
			for _, imp := range f.Imports {
				if imp.Of == name || name == syntax.Default && imp.Of == syntax.All && isECMAScript(f.Language) { // require
					add(imp.Name)
				}
			}
			for _, e := range f.Exports {
				if e.Path != "" && e.Of == name {
					add(e.Name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// importersOf returns the files that may import a name of a file under another one. What has no name is found by the file.
func (g *Graph) importersOf(name string, home *File) []*File {
	if name == syntax.Default {
		return g.src.Importing(stem(withoutExtension(home.Path)))
	}
	return g.src.Importing(name)
}

// renamed returns the definitions that a call means by a name that is not theirs.
func (g *Graph) renamed(call chunk.Call, from *File) []Node {
	if !followed[Family(from.Language)] {
		return nil
	}
	var found []origin
	if call.Qualifier == "" {
		for _, imp := range g.importsAs(from, call.Name) {
			found = append(found, (sources{g}).calledOrigins(imp, from)...)
		}
	}
	for _, imp := range g.importsAs(from, call.Qualifier) {
		for _, o := range (sources{g}).importOrigins(imp, from) {
			if o.name == syntax.All || o.name == syntax.Default {
				found = append(found, (sources{g}).originsOf(o.file, call.Name)...)
			}
		}
	}
	var nodes []Node
	for _, o := range found {
		if o.name != call.Name && o.name != syntax.All {
			nodes = append(nodes, g.definitionsIn(o)...)
		}
	}
	return nodes
}

// definitionsIn returns the chunks that an origin names.
func (g *Graph) definitionsIn(o origin) []Node {
	var nodes []Node
	for i := range o.file.Chunks {
		if c := &o.file.Chunks[i]; c.Name == o.name && isTopLevel(o.file, c) && c.Type != chunk.Code {
			nodes = append(nodes, Node{o.file, i})
		}
	}
	return nodes
}
