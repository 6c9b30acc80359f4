package evidence

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// calls are the links of a snapshot and the graph over them.
type calls struct {
	links *index.Links
	graph *graph.Graph
}

// graphOf is the graph of the library's snapshot. It keeps what it looked up for the questions that follow.
func (l *Workspace) graphOf() *calls {
	if l.around == nil {
		links := l.Snap.Links()
		l.around = &calls{links, graph.New(links)}
	}
	return l.around
}

// Neighbours returns up to limit definitions that a definition leads to, the surest first, and how many there are.
func (l *Workspace) Neighbours(ctx context.Context, p Citation, to Direction, limit int) ([]Link, int, error) {
	ref, ok := l.refs[p.ID]
	if !ok {
		return nil, 0, ctx.Err()
	}
	n := l.graphOf()
	own := codebase.PresentNode(l.Snap, n.links, ref)
	var edges []graph.Edge
	switch to {
	case ToCallers:
		callers, _ := n.graph.Callers(own)
		edges = withoutDoubt(callers)
	case ToCallees:
		edges = n.graph.Callees(own)
	case ToTests:
		edges = n.graph.Tests(own)
	case ToSupertypes:
		edges = n.graph.Supertypes(own)
	case ToSubtypes:
		edges = append(n.graph.Subtypes(own), l.fulfilling(own)...)
	}
	return l.links(ctx, edges, limit)
}

// CallsItself reports whether a definition is recursive, which is no link.
func (l *Workspace) CallsItself(p Citation) bool {
	ref, ok := l.refs[p.ID]
	if !ok {
		return false
	}
	n := l.graphOf()
	return graph.CallsItself(n.graph, codebase.PresentNode(l.Snap, n.links, ref))
}

// doubtful is the confidence below which a call most probably means something else.
const doubtful = 0.3

func withoutDoubt(edges []graph.Edge) []graph.Edge {
	return slices.DeleteFunc(slices.Clone(edges), func(e graph.Edge) bool { return e.Confidence < doubtful })
}

// links hands out the chunks that edges lead to, each once, those outside of tests first.
func (l *Workspace) links(ctx context.Context, edges []graph.Edge, limit int) ([]Link, int, error) {
	seen := map[graph.Node]bool{}
	edges = slices.DeleteFunc(slices.Clone(edges), func(e graph.Edge) bool {
		known := seen[e.To]
		seen[e.To] = true
		return known
	})
	slices.SortStableFunc(edges, func(a, b graph.Edge) int {
		return cmp.Or(cmp.Compare(codebase.SideCode(l.around.links.Ref(a.To)), codebase.SideCode(l.around.links.Ref(b.To))), cmp.Compare(b.Confidence, a.Confidence))
	})
	var out []Link
	for _, e := range edges[:min(limit, len(edges))] {
		list, err := l.read(ctx, []index.Ref{l.around.links.Ref(e.To)}, 1)
		if err != nil {
			return nil, 0, err
		}
		if len(list) == 1 {
			out = append(out, Link{Citation: list[0], Sure: e.Confidence, Why: e.Why, File: strings.HasPrefix(e.Why, graph.NamedAfterFile)})
		}
	}
	return out, len(edges), ctx.Err()
}

// How sure it is that a Go type that has the methods of an interface is meant to fulfil it: one method of a common name
// says less than several.
const (
	sureOfSeveral = 0.8
	sureOfOne     = 0.6
)

// fulfilling returns the Go types that have all methods of an interface, by their names: Go does not say who implements
// what. Methods that come from an embedded type are not seen.
func (l *Workspace) fulfilling(own graph.Node) []graph.Edge {
	methods := l.methodsOf(own, 0)
	if own.File.Language != "go" || len(methods) == 0 {
		return nil
	}
	type place struct{ folder, dir, name string }
	has := map[place]int{}
	for _, m := range methods {
		for _, node := range l.around.links.Named(m) {
			if c := node.Chunk(); c.Type == chunk.Method && node.File.Language == "go" {
				has[place{node.File.Folder, path.Dir(node.File.Path), strings.Trim(c.Container, "*")}]++
			}
		}
	}
	sure := sureOfOne
	if len(methods) > 1 {
		sure = sureOfSeveral
	}
	var edges []graph.Edge
	for at, n := range has {
		if n < len(methods) {
			continue
		}
		for _, node := range l.around.links.Named(at.name) {
			if node.Chunk().Type == chunk.Class && node != own && path.Dir(node.File.Path) == at.dir && node.File.Folder == at.folder {
				edges = append(edges, graph.Edge{To: node, Kind: graph.Inherit, Weight: sure, Confidence: sure, Why: "it has methods of all the names that " + own.Chunk().Name + " asks for"})
			}
		}
	}
	slices.SortFunc(edges, func(a, b graph.Edge) int {
		return cmp.Or(strings.Compare(a.To.File.Path, b.To.File.Path), cmp.Compare(a.To.Index, b.To.Index))
	})
	return edges
}

var (
	interfaceBody = lazyregexp.New(`(?s)\binterface\s*\{(.*)\}`)
	methodLine    = lazyregexp.New(`^\s*([A-Za-z_]\w*)\s*\(`)
	embeddedLine  = lazyregexp.New(`^\s*(?:\w+\.)?([A-Za-z_]\w*)\s*(?://.*)?$`)
)

// methodsOf returns the names of the methods that a Go interface asks for, those of embedded interfaces included; nil
// for anything else.
func (l *Workspace) methodsOf(own graph.Node, depth int) []string {
	doc, fresh, ok := l.Docs.Open(l.around.links.Ref(own))
	if !ok || depth > 3 {
		return nil
	}
	c := fresh.Chunk()
	body := interfaceBody.FindStringSubmatch(doc.Excerpt(c.NameSpan.End, c.Span.End))
	if body == nil {
		return nil
	}
	var names []string
	for line := range strings.Lines(body[1]) {
		line = strings.TrimRight(line, "\r\n")
		if m := methodLine.FindStringSubmatch(line); m != nil {
			names = append(names, m[1])
		} else if m := embeddedLine.FindStringSubmatch(line); m != nil {
			for _, node := range l.around.links.Named(m[1]) {
				if node.Chunk().Type == chunk.Class && node.File.Language == "go" && path.Dir(node.File.Path) == path.Dir(own.File.Path) {
					names = append(names, l.methodsOf(node, depth+1)...)
					break
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Importers returns the lines that import a file or folder, or else a module of that name.
func (l *Workspace) Importers(ctx context.Context, place, module string) ([]Line, error) {
	n := l.graphOf()
	var found []Line
	add := func(file *index.File, imp chunk.Import) error {
		line, ok, err := l.LineAt(ctx, file, imp.Line)
		if ok && !slices.ContainsFunc(found, func(o Line) bool { return o.Path == line.Path && o.Number == line.Number }) {
			found = append(found, line)
		}
		return err
	}
	for _, target := range l.filesAt(place) {
		for _, e := range n.graph.Importers(n.links.File(target)) {
			file := n.links.Ref(e.To).File
			if codebase.DirName(place) != codebase.DirName(file.Path) && InPlace(file.Path, place) {
				continue // within the folder itself
			}
			for _, imp := range file.Imports {
				if e.Why == "imports "+imp.Path {
					if err := add(file, imp); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	if len(found) == 0 {
		for f := range l.Snap.Files() {
			for _, imp := range f.Imports {
				if isModule(imp.Path, module) {
					if err := add(f, imp); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	sortLines(found)
	return found, ctx.Err()
}

// isModule reports whether an import is written as a module, or is one below it.
func isModule(written, module string) bool {
	if module == "" || strings.ContainsAny(module, " \t") {
		return false
	}
	written = strings.TrimPrefix(written, "node:")
	for _, sep := range []string{"/", ".", "::"} {
		if strings.HasPrefix(written, module+sep) || strings.HasSuffix(written, sep+module) {
			return true
		}
	}
	return written == module
}

// filesAt returns the file at a path, or the files of a folder: those right in it, else all below.
func (l *Workspace) filesAt(place string) []*index.File {
	if place == "" {
		return nil
	}
	var direct, below []*index.File
	for f := range l.Snap.Listed() {
		switch {
		case f.Path == place:
			return []*index.File{f.Loaded()}
		case !strings.HasPrefix(f.Path, place+"/") || len(f.Loaded().Chunks) == 0 || syntax.IsTest(f.Path):
		case codebase.DirName(f.Path) == place:
			direct = append(direct, f)
		default:
			below = append(below, f)
		}
	}
	files := direct
	if len(files) == 0 {
		files = below
	}
	slices.SortFunc(files, func(a, b *index.File) int { return cmp.Compare(a.Path, b.Path) })
	return files[:min(len(files), maxRead)]
}

// InPlace reports whether a file is the one at a path, or in the folder there; every file is in "".
func InPlace(file, place string) bool {
	return place == "" || file == place || strings.HasPrefix(file, place+"/")
}

// Imports returns files here that a file or the files of a folder import, and the modules from elsewhere.
func (l *Workspace) Imports(ctx context.Context, place string) (inside []Citation, outside []string, err error) {
	n := l.graphOf()
	seen := map[string]bool{}
	for _, f := range l.filesAt(place) {
		edges, others := n.graph.Imports(n.links.File(f))
		for _, e := range edges {
			file := n.links.Ref(e.To).File
			if seen[file.Abs] || file == f {
				continue
			}
			seen[file.Abs] = true
			list, err := l.read(ctx, []index.Ref{n.links.Ref(e.To)}, 1)
			if err != nil {
				return nil, nil, err
			}
			inside = append(inside, list...)
		}
		for _, o := range others {
			if !slices.Contains(outside, o) {
				outside = append(outside, o)
			}
		}
	}
	slices.SortFunc(inside, func(a, b Citation) int { return cmp.Compare(a.Path, b.Path) })
	slices.Sort(outside)
	return inside, outside, ctx.Err()
}
