package graph

import (
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// maxUses bounds through how many `use` a path is followed.
const maxUses = 8

// crates find the files that paths of Rust lead to: by the Cargo.toml files of the workspace and the tree of modules below the
// root of a crate. Modules inside a file count as the file; the attribute path is not read.
type crates struct {
	modules *modules
	named   map[string][]*File // Cargo.toml files by the folder of the workspace and the name of the crate
	roots   map[*File]*File
	known   map[rustKey][]rustPlace
}

type rustKey struct {
	from *File
	path string
}

// A rustPlace is a module, or what a name means in one.
type rustPlace struct {
	file *File
	name string // syntax.All for the module itself
}

// pathOf is the whole path of what an import brings, or of the module all of which it brings.
func rustPath(imp chunk.Import) string {
	switch {
	case imp.Of == syntax.All, imp.Name == "", imp.Name == syntax.All:
		return imp.Path
	case imp.Of != "":
		return imp.Path + "::" + imp.Of
	}
	return imp.Path + "::" + imp.Name
}

// find returns what a path means in a file; most mean one place, or none that the workspace has.
func (c *crates) find(written string, from *File) []rustPlace {
	key := rustKey{from, written}
	if list, ok := c.known[key]; ok {
		return list
	}
	c.known[key] = nil // what leads back to itself ends here
	list := c.places(written, from, maxUses)
	c.known[key] = list
	return list
}

// places is find through at most that many imports.
func (c *crates) places(written string, from *File, depth int) []rustPlace {
	parts := strings.Split(written, "::")
	if depth == 0 || parts[0] == "" && len(parts) == 1 {
		return nil
	}
	var found []rustPlace
	for _, start := range c.starts(parts[0], from, len(parts) == 1, depth) {
		if p, ok := c.walk(start, parts[1:], depth); ok && !slices.Contains(found, p) {
			found = append(found, p)
		}
	}
	return found
}

// starts are the places that the first name of a path may mean.
func (c *crates) starts(first string, from *File, alone bool, depth int) []rustPlace {
	var found []rustPlace
	add := func(f *File) {
		if f != nil {
			found = append(found, rustPlace{f, syntax.All})
		}
	}
	switch first {
	case "crate", "$crate":
		add(c.root(from))
		return found
	case "self":
		add(from)
		return found
	case "super": // of a module inside the file, or of the file
		add(from)
		add(c.parent(from))
		return found
	case "std", "core", "alloc":
		return nil
	}
	if f := c.child(from, first); f != nil {
		add(f)
		return found
	}
	if f := c.library(first, from); f != nil {
		add(f)
		return found
	}
	if alone {
		return nil
	}
	for _, imp := range c.modules.graph.importsAs(from, first) {
		if whole := rustPath(imp); whole != first && !strings.HasPrefix(whole, first+"::") {
			found = append(found, c.places(whole, from, depth-1)...)
		}
	}
	return found
}

// walk follows the names of a path from a module.
func (c *crates) walk(at rustPlace, rest []string, depth int) (rustPlace, bool) {
	for i, name := range rest {
		switch {
		case at.name != syntax.All:
			return rustPlace{}, false // a member of a type
		case name == "super":
			if at.file = c.parent(at.file); at.file == nil {
				return rustPlace{}, false
			}
		case name == "self":
		default:
			next, ok := c.within(at.file, name, i == len(rest)-1, depth)
			if !ok {
				return rustPlace{}, false
			}
			at = next
		}
	}
	return at, true
}

// within is what a name means in a module: a module below it, something of its own, or what it passes on. The last name of a path
// is taken to be there.
func (c *crates) within(f *File, name string, last bool, depth int) (rustPlace, bool) {
	if m := c.child(f, name); m != nil {
		return rustPlace{m, syntax.All}, true
	}
	if isInside(f, name) {
		return rustPlace{f, syntax.All}, true
	}
	if last {
		return rustPlace{f, name}, true
	}
	for _, imp := range c.modules.graph.importsAs(f, name) {
		for _, p := range c.places(rustPath(imp), f, depth-1) {
			return p, true
		}
	}
	return rustPlace{}, false
}

// isInside reports whether a file holds a module itself.
func isInside(f *File, module string) bool {
	return !isUpper(module) && slices.ContainsFunc(f.Chunks, func(c chunk.Chunk) bool {
		return c.Container == module || strings.HasPrefix(c.Container, module+".")
	})
}

// folderOf is the folder in which the modules below a file are.
func (c *crates) folderOf(f *File) string {
	dir, base := path.Dir(f.Path), stem(f.Path)
	if base == "mod" || base == "lib" || base == "main" || c.root(f) == f {
		return dir
	}
	return path.Join(dir, base)
}

// child is the file of a module below another one.
func (c *crates) child(f *File, name string) *File {
	dir := c.folderOf(f)
	for _, p := range []string{path.Join(dir, name+".rs"), path.Join(dir, name, "mod.rs")} {
		if m := c.modules.at(f.Folder, p); m != nil && m != f {
			return m
		}
	}
	return nil
}

// parent is the file of the module around another one.
func (c *crates) parent(f *File) *File {
	dir := path.Dir(f.Path)
	switch base := stem(f.Path); {
	case c.root(f) == f:
		return nil
	case base == "mod":
		dir = path.Dir(dir)
	}
	for _, p := range []string{path.Join(dir, "mod.rs"), path.Join(dir, "lib.rs"), path.Join(dir, "main.rs"), dir + ".rs"} {
		if m := c.modules.at(f.Folder, p); m != nil && m != f {
			return m
		}
	}
	return nil
}

// root is the file at the root of the crate that a file belongs to.
func (c *crates) root(f *File) *File {
	if known, ok := c.roots[f]; ok {
		return known
	}
	found := f
	above(path.Dir(f.Path), func(dir string) bool {
		for _, base := range []string{"lib.rs", "main.rs"} {
			if r := c.modules.at(f.Folder, path.Join(dir, base)); r != nil {
				found = r
				return false
			}
		}
		return c.modules.manifest(c.modules.at(f.Folder, path.Join(dir, "Cargo.toml"))) == nil
	})
	isScript := stem(f.Path) == "build" && c.modules.at(f.Folder, path.Join(path.Dir(f.Path), "Cargo.toml")) != nil
	if base := stem(f.Path); base == "main" || base == "lib" || isScript {
		found = f
	}
	c.roots[f] = found
	return found
}

// library is the root of the library of a crate of the workspace.
func (c *crates) library(name string, from *File) *File {
	if c.named == nil {
		c.named = map[string][]*File{}
		for _, f := range c.modules.graph.src.Importing(ManifestMark) {
			if path.Base(f.Path) != "Cargo.toml" {
				continue
			}
			if own := c.modules.manifest(f); own != nil {
				key := f.Folder + "\x00" + own.Name
				c.named[key] = append(c.named[key], f)
			}
		}
		for _, list := range c.named {
			slices.SortFunc(list, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
		}
	}
	for _, f := range c.named[from.Folder+"\x00"+name] {
		if lib := c.modules.at(f.Folder, path.Join(path.Dir(f.Path), c.modules.manifest(f).Main)); lib != nil {
			return lib
		}
	}
	return nil
}
