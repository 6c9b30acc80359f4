package graph

import (
	"slices"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// Callees returns what a chunk calls, the surest first.
func (g *Graph) Callees(n Node) []Edge {
	var edges []Edge
	for _, call := range n.Chunk().Calls {
		for _, e := range g.resolveCall(call, n).edges() {
			if e.To != n {
				edges = append(edges, e)
			}
		}
	}
	return settle(edges)
}

// callers are the answer to one question.
type callers struct {
	edges []Edge
	more  bool
}

// Callers returns the chunks that call a definition, the surest first, and whether there are more than were looked at.
func (g *Graph) Callers(n Node) (edges []Edge, more bool) {
	found, ok := g.callers[n]
	if !ok {
		found = g.findCallers(n)
		g.callers[n] = found
	}
	return slices.Clone(found.edges), found.more
}

func (g *Graph) findCallers(n Node) callers {
	names := append(g.aliases(n), n.Chunk().Name)
	var all []Node
	for _, name := range names {
		all = append(all, g.src.Callers(name)...)
	}
	near := reachOf(n, names).nearest(all)
	var edges []Edge
	for _, from := range near {
		if Family(from.File.Language) == Family(n.File.Language) && from != n {
			edges = append(edges, callsFrom(g, from, n, names)...)
		}
	}
	return callers{settle(edges), len(all) > len(near)}
}

// CallsItself reports whether a definition is recursive. The edges of Callers leave that out.
func CallsItself(g *Graph, n Node) bool {
	return len(callsFrom(g, n, n, append(g.aliases(n), n.Chunk().Name))) > 0
}

// callsFrom returns an edge for each call in a chunk that means a definition, which has these names.
func callsFrom(g *Graph, from, to Node, names []string) []Edge {
	var edges []Edge
	for _, call := range from.Chunk().Calls {
		if !slices.Contains(names, call.Name) || !g.mayMean(call, from, to) {
			continue
		}
		w := g.resolveCall(call, from)
		if sure := w.in(to); sure >= least {
			edges = append(edges, newEdge(from, Call, sure, w.reason(to)))
		}
	}
	return edges
}

// mayMean reports whether anything speaks for a definition at all: weighing one is cheaper than weighing all of its
// name. In C a call means a declaration first, whose definition may be out of sight.
func (g *Graph) mayMean(call chunk.Call, from, to Node) bool {
	family := Family(to.File.Language)
	return followsTypes[family] && call.Qualifier != "" || family == "c" || g.rateCall(call, from, to).confidence > 0
}

// CallsOwn returns the edge to a chunk that calls a function which is defined inside it.
func CallsOwn(around Node, name string) (Edge, bool) {
	own := func(c chunk.Call) bool { return c.Name == name && c.Qualifier == "" }
	if !slices.ContainsFunc(around.Chunk().Calls, own) {
		return Edge{}, false
	}
	return newEdge(around, Call, sureOwn, "defined inside it"), true
}

// CallersOf returns the chunks that call a name which the workspace does not define, in the order of their paths.
func (g *Graph) CallersOf(name string, home *File) []Edge {
	var edges []Edge
	for _, from := range (&reach{to: Node{home, -1}}).nearest(g.src.Callers(name)) {
		if Family(from.File.Language) == Family(home.Language) {
			edges = append(edges, newEdge(from, Call, sureGlobal, "calls something of this name"))
		}
	}
	return settle(edges)
}
