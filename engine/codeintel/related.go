package codeintel

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// The directions of a RelatedRequest.
const (
	towardsCallers    = "callers"
	towardsCallees    = "callees"
	towardsImports    = "imports"
	towardsImporters  = "importers"
	towardsSupertypes = "supertypes"
	towardsSubtypes   = "subtypes"
	towardsTests      = "tests"
	towardsChanges    = "cochanged"
	towardsAll        = "all"
)

// Directions are the values of RelatedRequest.Direction. From a test, "tests" leads to what it tests.
var Directions = []string{
	towardsCallers, towardsCallees, towardsImports, towardsImporters, towardsSupertypes, towardsSubtypes, towardsTests,
	towardsChanges, towardsAll,
}

const (
	maxSimilar = 5 // edges of kind "similar"
	maxDepth   = 3
)

// Related returns the neighbours of a symbol in the directions asked for: who calls it or hands it over as a value, what it calls, what its file
// imports and who imports that, its supertypes and subtypes, its tests, the files that git saw change together with
// its file, and, when everything is asked for, what reads alike. Each edge tells how sure it is: names are resolved by
// scope, not by a compiler. From is "" and Notes says why when there is no symbol.
func (e *Intel) Related(ctx context.Context, r RelatedRequest) (*RelatedResult, error) {
	r.Direction = cmp.Or(r.Direction, towardsCallers)
	r.Depth = cmp.Or(r.Depth, 1)
	if err := checkRelated(r); err != nil {
		return nil, err
	}
	limit, note, err := fault.CheckLimit(r.Limit)
	if err != nil {
		return nil, err
	}
	n := e.newNeighbours(limit, r.Place.Own)
	n.note(note)
	if err := n.start(&r); err != nil {
		return nil, err
	}
	n.find(ctx, r)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, s := range codebase.IndexNotes(e.Index, n.snap) {
		n.note(s)
	}
	return &RelatedResult{From: n.from, Edges: n.edges, Notes: n.notes}, nil
}

func checkRelated(r RelatedRequest) error {
	if !slices.Contains(Directions, r.Direction) {
		return &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("unknown direction %q", r.Direction), Detail: "direction",
			Remedy: "Use " + strings.Join(Directions, ", ") + ".",
		}
	}
	if r.Depth < 1 || r.Depth > maxDepth {
		return &fault.Error{
			Kind: fault.Invalid, Message: fmt.Sprintf("depth %d is not between 1 and %d", r.Depth, maxDepth), Detail: "depth",
			Remedy: "Leave it out for direct neighbours.",
		}
	}
	return nil
}

// neighbours is one run of Related.
type neighbours struct {
	intel *Intel
	snap  *index.Snapshot
	docs  *codebase.DocumentCache
	links *index.Links
	graph *graph.Graph
	doc   *codebase.Document
	limit int // edges of each kind

	from  string
	name  string
	own   *index.Ref       // the definition of the symbol, or the chunk around the place
	named *index.SymbolRef // instead of it: a constant, a field or another symbol that is no chunk
	inner *index.SymbolRef // the function inside another one that the symbol is, nil for most
	edges []Edge
	notes []string
}

func (e *Intel) newNeighbours(limit int, own codebase.Buffers) *neighbours {
	snap := e.Index.Snapshot()
	links := snap.Links()
	return &neighbours{intel: e, snap: snap, docs: codebase.NewDocumentCache(e.Index).Seeing(own), links: links, graph: graph.New(links), limit: limit}
}

func (n *neighbours) note(s string) {
	if s != "" && !slices.Contains(n.notes, s) {
		n.notes = append(n.notes, s)
	}
}

func (n *neighbours) find(ctx context.Context, r RelatedRequest) {
	wants := func(d string) bool { return d == r.Direction || r.Direction == towardsAll }
	ofFile := wants(towardsImports) || wants(towardsImporters) || wants(towardsChanges)
	if n.name == "" && !ofFile {
		n.note("there is no symbol here; put the cursor on a name")
		return
	}
	if n.name != "" {
		n.findOfSymbol(wants, r.Depth)
	}
	if wants(towardsImports) {
		n.addImports()
	}
	if wants(towardsImporters) {
		n.addImporters()
	}
	if wants(towardsChanges) && ctx.Err() == nil {
		n.addChanged(ctx)
	}
	if r.Direction == towardsAll && n.own != nil && ctx.Err() == nil {
		n.addSimilar()
	}
	if len(n.edges) == 0 {
		n.note(fmt.Sprintf("nothing related to %s was found (%s)", cmp.Or(n.name, "this file"), r.Direction))
	}
}

// findOfSymbol adds what is related to the symbol rather than to its file.
func (n *neighbours) findOfSymbol(wants func(string) bool, depth int) {
	if n.named != nil {
		if wants(towardsCallers) {
			n.addMentions()
		}
		return
	}
	if n.inner != nil {
		if wants(towardsCallers) {
			n.addAround()
		}
		return
	}
	if n.own == nil {
		if wants(towardsCallers) {
			n.add(n.from, n.graph.CallersOf(n.name, n.home()), "caller", n.name, "")
		}
		return
	}
	own := codebase.PresentNode(n.snap, n.links, *n.own)
	if wants(towardsCallers) {
		n.expand(own, "caller", depth, n.callers)
		n.noteNamesakes(own)
		n.addReferences(*n.own)
		n.addTypeUses(*n.own)
	}
	if wants(towardsCallees) {
		n.expand(own, "callee", depth, n.graph.Callees)
	}
	if wants(towardsSupertypes) {
		n.expand(own, "supertype", depth, n.graph.Supertypes)
	}
	if wants(towardsSubtypes) {
		n.expand(own, "subtype", depth, n.graph.Subtypes)
	}
	if wants(towardsTests) {
		kind := "test"
		if syntax.IsTest(own.File.Path) {
			kind = "tested"
		}
		n.add(n.from, n.graph.Tests(own), kind, n.name, own.Chunk().Container)
	}
}

// addAround adds the function around an inner one, which alone knows its name, if it calls it.
func (n *neighbours) addAround() {
	around := codebase.PresentNode(n.snap, n.links, n.inner.Ref)
	if edge, ok := graph.CallsOwn(around, n.name); ok {
		n.add(n.from, []graph.Edge{edge}, "caller", n.name, "")
	}
}

func (n *neighbours) callers(of graph.Node) []graph.Edge {
	edges, more := n.graph.Callers(of)
	if more {
		n.note("so many places call something of this name that only the nearest were looked at")
	}
	return edges
}

// noteNamesakes tells how many places call something of the same name that is not this.
func (n *neighbours) noteNamesakes(own graph.Node) {
	all := len(n.snap.Callers(n.name, codebase.MaxCounted))
	edges, _ := n.graph.Callers(own)
	if graph.CallsItself(n.graph, own) {
		n.note(n.name + " calls itself")
		all--
	}
	if others := all - len(edges); others > 0 && all < codebase.MaxCounted {
		n.note(fmt.Sprintf("%s something called %s, which is another definition or is not known to be this one",
			wording.Count(others, "more place calls", "more places call"), n.name))
	}
}

// expand adds the neighbours in one direction, then theirs, and so on. Confidence and weight fall along the way.
func (n *neighbours) expand(own graph.Node, kind string, depth int, ask func(graph.Node) []graph.Edge) {
	type step struct {
		node   graph.Node
		weight float64
	}
	level := []step{{own, 1}}
	seen := map[graph.Node]bool{own: true}
	for distance := 1; distance <= depth; distance++ {
		var next []step
		for _, s := range level {
			var fresh []graph.Edge
			for _, e := range ask(s.node) {
				if seen[e.To] {
					continue
				}
				seen[e.To] = true
				e.Confidence *= s.weight
				e.Weight *= s.weight / float64(distance)
				fresh = append(fresh, e)
				next = append(next, step{e.To, e.Confidence})
			}
			from, what := n.from, n.name
			if distance > 1 {
				from, what = s.node.ID(), s.node.Chunk().Name
			}
			n.add(from, fresh, kind, what, s.node.Chunk().Container)
		}
		level = next[:min(len(next), n.limit)]
	}
}

// home is the file of the place as the snapshot has it.
func (n *neighbours) home() *graph.File {
	if file, ok := n.snap.File(n.doc.File.Abs); ok {
		return n.links.File(file)
	}
	return n.links.File(n.doc.File)
}

// addSimilar adds what the words of the symbol's own name and signature find elsewhere.
func (n *neighbours) addSimilar() {
	doc, own, ok := n.docs.Open(*n.own)
	if !ok {
		return
	}
	added := 0
	for _, ref := range slices.DeleteFunc(SimilarTo(n.snap, doc, own), n.joined) {
		weight := 1 / (1 + 0.1*float64(added))
		if added < maxSimilar && n.join(ref, Edge{From: n.from, Kind: "similar", Weight: weight, Confidence: weight, Why: "reads like " + n.name}) {
			added++
		}
	}
}

// joined reports whether the chunk is a neighbour already, of whatever kind.
func (n *neighbours) joined(ref index.Ref) bool {
	return slices.ContainsFunc(n.edges, func(e Edge) bool { return e.To.ID == ref.ID() })
}

// SimilarTo returns definitions whose text shares the words of the chunk's name and signature, best first.
func SimilarTo(snap *index.Snapshot, doc *codebase.Document, own index.Ref) []index.Ref {
	c := own.Chunk()
	hits, _ := snap.Search(index.Query{
		Text: c.Container + " " + c.Name + " " + snippet.Signature(doc, c), Limit: 4 * maxSimilar,
		Chunk: func(ref index.Ref) bool {
			d := ref.Chunk()
			itself := ref.File.Abs == own.File.Abs && d.Name == c.Name && d.Container == c.Container && d.Ordinal == c.Ordinal
			return codebase.IsDefinition(ref) && !itself
		},
	})
	var refs []index.Ref
	for _, h := range hits {
		refs = append(refs, h.Ref)
	}
	return refs
}

// add joins the chunks to a symbol, a file or a part of a container, at most limit of each kind; how many are left out is noted.
func (n *neighbours) add(from string, edges []graph.Edge, kind, of, container string) {
	added := 0
	for _, e := range n.edges {
		if e.Kind == kind {
			added++
		}
	}
	for i, e := range edges {
		if added == n.limit {
			n.note(wording.Count(len(edges)-i, "more "+kind, "more "+kind+"s"))
			return
		}
		if n.join(n.links.Ref(e.To), Edge{From: from, Kind: kind, Weight: e.Weight, Confidence: e.Confidence, Why: e.Why}) {
			last := &n.edges[len(n.edges)-1]
			last.To.Explanation = kind + " of " + of
			if kind == "caller" || kind == "test" {
				last.At = n.useSite(n.links.Ref(e.To), of, container)
			}
			added++
		}
	}
}

// join adds an edge to the chunk. It reports false when the chunk is gone.
func (n *neighbours) join(ref index.Ref, e Edge) bool {
	doc, fresh, ok := n.docs.Open(ref)
	if !ok {
		return false
	}
	e.To = snippet.OfChunk(doc, fresh)
	e.To.Explanation = e.Why
	e.To.Scores.Graph = &e.Weight
	e.To.SetScore(e.Weight, nil)
	n.edges = append(n.edges, e)
	return true
}
