package snapshot

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/compiledb"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/lexical"
)

// What a chunk refers to is filed in the segment's list of whole names: what it calls under the name itself; what a
// type inherits from, what a file imports, and the symbols in it under names that no call can have.
const (
	supertypeMark = "<:"
	subtypeMark   = ":>" // of a type that inherits and is defined elsewhere
	importMark    = "<-"
	symbolMark    = "{}" // of what has a name in the chunk and is none itself
)

// references are the names under which the i-th chunk of a file is found by those it refers to, or that look for the
// symbols in it. The first chunk of a file stands for its imports.
func references(f *File, i int, symbols []chunk.Symbol) [][]byte {
	c := &f.Chunks[i]
	var names [][]byte
	last := ""
	for _, call := range c.Calls {
		if call.Name != last {
			names = append(names, []byte(call.Name))
			last = call.Name
		}
	}
	for _, h := range f.Inherits {
		if h.Chunk == i {
			names = append(names, []byte(supertypeMark+h.Supertype))
			if h.Subtype != c.Name {
				names = append(names, []byte(subtypeMark+h.Subtype))
			}
		}
	}
	for _, s := range symbols {
		names = append(names, []byte(symbolMark+s.Name))
	}
	if i == 0 {
		if f.Manifest != "" {
			names = append(names, []byte(importMark+graph.ManifestMark))
		}
		for _, imp := range f.Imports {
			for _, key := range graph.Words(imp) {
				names = append(names, []byte(importMark+key))
			}
		}
		for _, e := range f.Exports {
			if e.Path != "" && e.Of != e.Name {
				names = append(names, []byte(importMark+e.Of))
			}
		}
	}
	return names
}

// Links are the files of a snapshot as package graph sees them. They serve one request and one goroutine.
type Links struct {
	snap  *Snapshot
	files map[*File]*graph.File
	refs  map[*graph.File]*File

	compiled map[string]*compiledb.Database // by folder
}

var _ graph.Source = (*Links)(nil)

// Links returns a source for package graph.
func (s *Snapshot) Links() *Links {
	return &Links{snap: s, files: map[*File]*graph.File{}, refs: map[*graph.File]*File{}, compiled: map[string]*compiledb.Database{}}
}

// Node returns a chunk as package graph sees it.
func (l *Links) Node(r Ref) graph.Node { return graph.Node{File: l.File(r.File), Index: r.Index} }

// File returns a file as package graph sees it.
func (l *Links) File(f *File) *graph.File {
	g := l.files[f]
	if g == nil {
		g = &graph.File{Folder: f.Folder, Path: f.Path, File: f.Loaded().File}
		l.files[f], l.refs[g] = g, f
	}
	return g
}

// Ref returns the chunk that a node of these links is.
func (l *Links) Ref(n graph.Node) Ref { return Ref{File: l.refs[n.File], Index: n.Index} }

// Named implements graph.Source.
func (l *Links) Named(name string) []graph.Node {
	var nodes []graph.Node
	l.snap.lookup(lexical.Name, rarest(name), func(r Ref) bool {
		if r.Chunk().Name == name {
			nodes = append(nodes, l.Node(r))
		}
		return true
	})
	return nodes
}

// Callers implements graph.Source.
func (l *Links) Callers(name string) []graph.Node {
	var nodes []graph.Node
	for _, r := range l.snap.Callers(name, 0) {
		nodes = append(nodes, l.Node(r))
	}
	return nodes
}

// Inheriting implements graph.Source.
func (l *Links) Inheriting(supertype string) []graph.Node { return l.marked(supertypeMark + supertype) }

// Holding implements graph.Source.
func (l *Links) Holding(name string) []graph.Node { return l.marked(symbolMark + name) }

// Implementing implements graph.Source.
func (l *Links) Implementing(subtype string) []graph.Node { return l.marked(subtypeMark + subtype) }

// Importing implements graph.Source.
func (l *Links) Importing(word string) []*graph.File {
	var files []*graph.File
	for _, n := range l.marked(importMark + word) {
		files = append(files, n.File)
	}
	return files
}

func (l *Links) marked(key string) []graph.Node {
	var nodes []graph.Node
	l.snap.lookup(lexical.Calls, key, func(r Ref) bool {
		nodes = append(nodes, l.Node(r))
		return true
	})
	return nodes
}

// maxAlike bounds how many files with one word in their path are looked at. Which ones are left of more does not
// depend on the order of the index.
const maxAlike = 5000

// FilesLike implements graph.Source.
func (l *Links) FilesLike(word string) []*graph.File {
	var found []*File
	l.snap.lookup(lexical.Path, rarest(word), func(r Ref) bool {
		if r.Index == 0 {
			found = append(found, r.File)
		}
		return true
	})
	if len(found) > maxAlike {
		slices.SortFunc(found, func(a, b *File) int { return cmp.Compare(a.Abs, b.Abs) })
		found = found[:maxAlike]
	}
	files := make([]*graph.File, len(found))
	for i, f := range found {
		files[i] = l.File(f)
	}
	return files
}

// FileAt implements graph.Source.
func (l *Links) FileAt(folder, path string) (*graph.File, bool) {
	e, ok := l.snap.files.get(filepath.Join(folder, filepath.FromSlash(path)))
	if !ok {
		return nil, false
	}
	return l.File(e.File), true
}

// IncludeFolders implements graph.Source.
func (l *Links) IncludeFolders(folder, path string) (quoted, all []string) {
	db, ok := l.compiled[folder]
	if !ok {
		db = compiledb.For(folder)
		l.compiled[folder] = db
	}
	f := db.Of(path)
	return f.Quoted, f.All
}
