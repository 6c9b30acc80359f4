package graph

import (
	"path"
	"slices"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// The confidences of the signs, see the package comment.
const (
	sureOwn       = 0.95
	sureImported  = 0.9
	sureInherited = 0.85
	sureIncluded  = 0.85
	sureFolder    = 0.8
	sureLike      = 0.6
	sureNamed     = 0.55
	sureGlobal    = 0.5
	sureUnknown   = 0.3
)

// A rating is how strongly one sign speaks for a definition; {} when nothing does.
type rating struct {
	confidence float64
	why        string
	distance   int // of two that speak as strongly, the lower one is meant; 0 for most
}

// beats reports whether one sign counts and the other one does not.
func (r rating) beats(other rating) bool {
	return r.confidence > other.confidence || r.confidence == other.confidence && r.distance < other.distance
}

// winners are the definitions that a name in a place most probably means: those for which the strongest sign speaks.
type winners struct {
	nodes []Node // one of each group, in the order of their paths
	rating

	below     []Node  // methods of narrower types that the call may end in
	belowSure float64 // the confidence in each of those
	exact     bool    // of several overloads the nodes are those that are meant
}

// sure is the confidence in each of the winners.
func (w winners) sure() float64 {
	if len(w.nodes) == 0 {
		return 0
	}
	return w.confidence / float64(len(w.nodes))
}

// in is the confidence in one definition.
func (w winners) in(n Node) float64 {
	switch {
	case w.holds(n):
		return w.sure()
	case slices.Contains(w.below, n):
		return w.belowSure
	}
	return 0
}

// reason is what speaks for one definition.
func (w winners) reason(n Node) string {
	if w.holds(n) {
		return w.why
	}
	return last(n.Chunk().Container) + " is a narrower type, whose method may be meant"
}

// edges lead to all definitions that may be meant.
func (w winners) edges() []Edge {
	var list []Edge
	for _, to := range slices.Concat(w.nodes, w.below) {
		list = append(list, newEdge(to, Call, w.in(to), w.reason(to)))
	}
	return list
}

func (w winners) holds(n Node) bool {
	if w.exact {
		return slices.Contains(w.nodes, n)
	}
	key := groupOf(n)
	return slices.ContainsFunc(w.nodes, func(o Node) bool { return o == n || groupOf(o) == key })
}

// A useKey names a use of a name as far as its meaning goes.
type useKey struct {
	file            *File
	own             string // type around the use
	name, qualifier string
	on, args        string
	isType          bool // the name must be a type
	at              int  // the chunk, where a file may define a name more than once
}

// resolveCall finds what a call in a chunk means.
func (g *Graph) resolveCall(call chunk.Call, from Node) winners {
	key := useKey{file: from.File, own: ownType(from), name: call.Name, qualifier: call.Qualifier, on: call.On, args: call.Args}
	if call.Qualifier == "" && isECMAScript(from.File.Language) {
		key.at = from.Index
	}
	if w, ok := g.winners[key]; ok {
		return w
	}
	g.winners[key] = winners{} // a name that leads back to itself ends here
	f := flows{graph: g, depth: maxFollowed}
	if w, decided := f.target(call, from, f.receiver(call, from)); decided {
		g.winners[key] = w
		return w
	}
	renamed := g.renamed(call, from.File)
	w := g.elect(append(renamed, g.definitions(call.Name)...), from, call.Args, func(to Node) rating { return g.rateCall(call, from, to) })
	w.nodes = withoutTypes(w.nodes)
	g.winners[key] = w
	return w
}

// withoutTypes leaves out, of what a call may mean, the types that are called like a function, and the signatures of functions
// that are there themselves.
func withoutTypes(nodes []Node) []Node {
	isFunction := func(n Node) bool { return n.Chunk().Type != chunk.Class && n.Chunk().HasBody() }
	if len(nodes) < 2 || !isECMAScript(nodes[0].File.Language) || !slices.ContainsFunc(nodes, isFunction) {
		return nodes
	}
	return slices.DeleteFunc(nodes, func(n Node) bool { return !isFunction(n) })
}

// resolveType finds the type that a name in a file means.
func (g *Graph) resolveType(name, qualifier string, from Node) winners {
	key := useKey{file: from.File, name: name, qualifier: qualifier, isType: true}
	if w, ok := g.winners[key]; ok {
		return w
	}
	g.winners[key] = winners{}
	w := g.elect(g.definitions(name), from, "", func(to Node) rating {
		if to == from || !isType(to) {
			return rating{}
		}
		return g.rateType(name, qualifier, from, to)
	})
	g.winners[key] = w
	return w
}

// elect rates definitions and returns the best.
func (g *Graph) elect(all []Node, from Node, args string, rate func(Node) rating) winners {
	var w winners
	for _, to := range all {
		if Family(to.File.Language) != Family(from.File.Language) {
			continue
		}
		switch r := rate(to); {
		case r.confidence == 0 || w.beats(r):
		case r.beats(w.rating):
			w = winners{nodes: []Node{to}, rating: r}
		default:
			w.nodes = append(w.nodes, to)
		}
	}
	if Family(from.File.Language) == "c" {
		w.nodes = withBodies(w.nodes, all)
	}
	if isECMAScript(from.File.Language) {
		nearest := nearestBodies(w.nodes, from)
		if len(nearest) < len(w.nodes) && w.confidence > sureFolder {
			w.rating = rating{confidence: sureFolder, why: w.why + ", the nearest of this name"}
		}
		w.nodes = nearest
	}
	if args != "" {
		w.nodes, w.exact = fitting(args, w.nodes), true
		return w
	}
	w.nodes = representatives(w.nodes)
	return w
}

// withBodies turns declarations of C into the definitions of the same name and container, if there are any.
func withBodies(nodes, all []Node) []Node {
	bodies := slices.DeleteFunc(slices.Clone(nodes), func(n Node) bool { return !n.Chunk().HasBody() })
	if len(bodies) > 0 {
		return bodies
	}
	for _, n := range all {
		isDefinition := func(o Node) bool {
			return o.Chunk().Container == n.Chunk().Container && !slices.Contains(bodies, n)
		}
		if n.Chunk().HasBody() && Family(n.File.Language) == "c" && slices.ContainsFunc(nodes, isDefinition) {
			bodies = append(bodies, n)
		}
	}
	if len(bodies) > 0 {
		return bodies
	}
	return nodes
}

// nearestBodies leaves, of several functions of one name in the file of a use, the last one before the use, or else the
// first: in JavaScript they are no overloads, but stand in blocks of their own, as in tests.
func nearestBodies(nodes []Node, from Node) []Node {
	chosen := -1
	for i, n := range nodes {
		if n.File == from.File && n.Chunk().HasBody() && n.Chunk().Container == "" && (chosen < 0 || n.Index <= from.Index) {
			chosen = i
		}
	}
	if chosen < 0 {
		return nodes
	}
	var out []Node
	for i, n := range nodes {
		if i == chosen || n.File != from.File || !n.Chunk().HasBody() || n.Chunk().Container != "" {
			out = append(out, n)
		}
	}
	return out
}

func isECMAScript(language string) bool { return Family(language) == "javascript" }

// A group names definitions that are one to people: overloads and declarations of one file, and in Go the versions of
// a function for different systems, which share a folder.
type group struct {
	folder, place, container, name string
	// Of a function of JavaScript its place, as those with a body are no overloads; of a method of Rust, as those of one name
	// are of different traits.
	body int
}

func groupOf(n Node) group {
	c, place := n.Chunk(), n.File.Path
	if n.File.Language == "go" {
		place = path.Dir(place)
	}
	g := group{n.File.Folder, place, c.Container, c.Name, 0}
	if isECMAScript(n.File.Language) && c.HasBody() && c.Type == chunk.Function || n.File.Language == "rust" && c.Type == chunk.Method {
		g.body = n.Index + 1
	}
	return g
}

// representatives leaves the longest of each group.
func representatives(nodes []Node) []Node {
	if len(nodes) < 2 {
		return nodes
	}
	size := func(n Node) int { return n.Chunk().Span.End - n.Chunk().Span.Start }
	place := make(map[group]int, len(nodes))
	var out []Node
	for _, n := range nodes {
		key := groupOf(n)
		switch i, ok := place[key]; {
		case !ok:
			place[key] = len(out)
			out = append(out, n)
		case out[i].File == n.File && size(n) > size(out[i]):
			out[i] = n
		}
	}
	return out
}

// ownType is the innermost type around a chunk, or the type that it is.
func ownType(n Node) string {
	c := n.Chunk()
	if isType(n) {
		return c.Name
	}
	return last(c.Container)
}
