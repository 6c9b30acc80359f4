package graph

import (
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// A typeKey names a type as a file sees it.
type typeKey struct {
	file *File
	name string
}

// isType reports whether a chunk is a type: a function of JavaScript is one when its file gives its prototype methods.
func isType(n Node) bool {
	c := n.Chunk()
	if c.Type != chunk.Function || c.Container != "" || !isUpper(c.Name) || !isECMAScript(n.File.Language) {
		return c.Type == chunk.Class
	}
	for i := range n.File.Chunks {
		if m := &n.File.Chunks[i]; m.Type == chunk.Method && m.Container == c.Name {
			return true
		}
	}
	return false
}

// maxAncestors bounds how many types are looked at on the way up from one.
const maxAncestors = 32

// inherited weighs a method of a type above the one that a name in from's file means: what is nearest counts, and what does
// something before what is only declared.
func (g *Graph) inherited(from Node, typeName string, method Node, why string) rating {
	c := method.Chunk()
	owner := last(c.Container)
	if owner == "" || typeName == "" || owner == typeName {
		return rating{}
	}
	for _, t := range g.ancestors(from, typeName) {
		if t.Chunk().Name == owner && (t.File == method.File || method.File.Language == "go" && sameFolder(t.File, method.File)) {
			distance := t.distance
			if !c.HasBody() {
				distance += maxAncestors
			}
			return rating{confidence: sureInherited, distance: distance, why: why + last(c.Container)}
		}
	}
	return rating{}
}

// An ancestor is a type above another one, and how many steps.
type ancestor struct {
	Node
	distance int
}

// ancestors returns the types above the one that a name in from's file means, the nearest first.
func (g *Graph) ancestors(from Node, typeName string) []ancestor {
	key := typeKey{from.File, typeName}
	if list, ok := g.parents[key]; ok {
		return list
	}
	g.parents[key] = nil // a circle ends here
	level := g.resolveType(typeName, "", Node{from.File, -1}).nodes
	var list []ancestor
	seen := map[Node]bool{}
	for distance := 1; len(level) > 0 && len(list) < maxAncestors; distance++ {
		var next []Node
		for _, t := range level {
			for _, e := range g.Supertypes(t) {
				if !seen[e.To] {
					seen[e.To] = true
					next = append(next, e.To)
					list = append(list, ancestor{e.To, distance})
				}
			}
		}
		level = next
	}
	g.parents[key] = list
	return list
}

// Supertypes returns what a type inherits from, implements or embeds, as far as the workspace defines it.
func (g *Graph) Supertypes(n Node) []Edge {
	if n.Chunk().Type != chunk.Class {
		return nil
	}
	var edges []Edge
	add := func(at Node) {
		for _, h := range at.File.Inherits {
			if h.Chunk != at.Index || h.Subtype != n.Chunk().Name {
				continue
			}
			w := (flows{graph: g, depth: maxFollowed}).supertype(h, at)
			for _, to := range w.nodes {
				if to != n {
					edges = append(edges, newEdge(to, Inherit, w.sure(), w.why))
				}
			}
		}
	}
	add(n)
	for _, at := range g.src.Implementing(n.Chunk().Name) { // said elsewhere, as an impl block of Rust
		if Family(at.File.Language) != Family(n.File.Language) || at == n {
			continue
		}
		if w := g.resolveType(n.Chunk().Name, "", at); w.holds(n) {
			add(at)
		}
	}
	return settle(edges)
}

// supertype finds what a type inherits from, also under a name that only its file knows.
func (f flows) supertype(h chunk.Inheritance, at Node) winners {
	w := f.graph.resolveType(h.Supertype, h.Qualifier, at)
	if len(w.nodes) > 0 || !followed[Family(at.File.Language)] {
		return w
	}
	name := strings.TrimPrefix(h.Qualifier+"."+h.Supertype, ".")
	if v := f.of(name, at.File, Node{at.File, -1}); v.kind == class {
		return winners{nodes: []Node{v.node}, rating: rating{confidence: sureOwn, why: "imported as " + name}}
	}
	return w
}

// Subtypes returns the types that inherit from a type.
func (g *Graph) Subtypes(n Node) []Edge {
	if n.Chunk().Type != chunk.Class {
		return nil
	}
	var edges []Edge
	for _, at := range (&reach{to: n}).nearest(g.src.Inheriting(n.Chunk().Name)) {
		if Family(at.File.Language) != Family(n.File.Language) {
			continue
		}
		for _, h := range at.File.Inherits {
			if h.Chunk != at.Index || h.Supertype != n.Chunk().Name {
				continue
			}
			if w := g.resolveType(h.Supertype, h.Qualifier, at); w.holds(n) {
				edges = append(edges, g.subtypeEdges(h, at, w)...)
			}
		}
	}
	return settle(edges)
}

// subtypeEdges leads to the subtype itself: the chunk at which it is said, or the type of that name.
func (g *Graph) subtypeEdges(h chunk.Inheritance, at Node, w winners) []Edge {
	if c := at.Chunk(); c.Type == chunk.Class && c.Name == h.Subtype {
		return []Edge{newEdge(at, Inherit, w.sure(), w.why)}
	}
	var edges []Edge
	sub := g.resolveType(h.Subtype, "", at)
	for _, to := range sub.nodes {
		edges = append(edges, newEdge(to, Inherit, w.sure()*sub.sure(), w.why))
	}
	return edges
}
