package assemble

import (
	"slices"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/graph"
)

// How what was found speaks for its neighbours. Set on half of the repositories of docs/search.md, "Context for a task".
const (
	spreadHeads = 6 // of what was found, the definitions whose neighbours are looked at
	spreadEdges = 8 // callees, and callers, of each of them

	calleeShare = 0.6 // of a definition's score that goes to what it calls,
	callerShare = 0.4 // to what calls it,
	otherFile   = 0.6 // factor when that is in another file,
	sideFile    = 0.5 // or in a test, an example and the like
	raised      = 0.5 // of that share, what a neighbour gains that was found itself
)

// A gain is what the definitions that were found say for a neighbour.
type gain struct {
	ref   index.Ref
	score float64
	why   string
}

// spread lets the best definitions that were found speak for what they call and what calls them: a task needs helpers as
// well, which have none of its words. A neighbour that was found rises; the others become parts.
func (g *gathering) spread() {
	for _, n := range g.gains() {
		id := n.ref.ID()
		if i := slices.IndexFunc(g.parts, func(p *part) bool { return p.hit.ID == id }); i >= 0 {
			g.parts[i].boost = raised * n.score
			continue
		}
		doc, fresh, ok := g.docs.Open(n.ref)
		if !ok {
			continue
		}
		hit := snippet.OfChunk(doc, fresh)
		hit.Explanation, hit.Providers = n.why, []string{providerDependency}
		hit.SetScore(n.score, nil)
		g.add(hit, roleNeighbour)
	}
}

// gains are the neighbours of the best definitions, each with the most that one of them says for it.
func (g *gathering) gains() []*gain {
	links := g.snap.Links()
	calls := graph.New(links)
	var list []*gain
	known := map[index.Ref]*gain{}
	give := func(edges []graph.Edge, from index.Ref, share float64, why string) {
		for _, e := range edges[:min(len(edges), spreadEdges)] {
			to := links.Ref(e.To)
			score := share * e.Confidence * placeShare(from, to)
			if old, ok := known[to]; !ok {
				known[to] = &gain{to, score, why}
				list = append(list, known[to])
			} else if score > old.score {
				old.score, old.why = score, why
			}
		}
	}
	heads := 0
	for _, p := range g.parts {
		ref, ok := g.snap.ByID(p.hit.ID)
		if p.role != roleFound || !ok || !codebase.IsDefinition(ref) {
			continue
		}
		if heads++; heads > spreadHeads {
			break
		}
		node, name := codebase.PresentNode(g.snap, links, ref), ref.Chunk().Name
		give(calls.Callees(node), ref, calleeShare*p.hit.Score, "called by "+name)
		callers, _ := calls.Callers(node)
		give(callers, ref, callerShare*p.hit.Score, "calls "+name)
	}
	return list
}

// placeShare is how much the place of a neighbour leaves of its share.
func placeShare(from, to index.Ref) float64 {
	share := 1.0
	if to.File != from.File {
		share *= otherFile
	}
	if codebase.FileKind(to.File.Path) != "" {
		share *= sideFile
	}
	return share
}
