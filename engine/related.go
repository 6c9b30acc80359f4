package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/aurora-sidecar/aurora/index"
)

// The directions of a RelatedRequest.
const (
	towardsCallers = "callers"
	towardsCallees = "callees"
	towardsImports = "imports"
	towardsChanges = "cochanged"
	towardsAll     = "all"
)

var directions = []string{towardsCallers, towardsCallees, towardsImports, towardsChanges, towardsAll}

// maxSimilar is the most edges of kind "similar".
const maxSimilar = 5

// Related returns the neighbours of the symbol at a place: who calls something of its name, what it calls, what its
// file imports, which files git saw change together with its file, and, when everything is asked for, what reads alike.
// Calls are found by name, so namesakes are among them. From is "" and Notes says why when there is no symbol.
func (e *Engine) Related(ctx context.Context, r RelatedRequest) (*RelatedResult, error) {
	r.Direction = cmp.Or(r.Direction, towardsCallers)
	if err := checkDirection(r.Direction); err != nil {
		return nil, err
	}
	limit, note, err := checkLimit(r.Limit)
	if err != nil {
		return nil, err
	}
	snap, shelf := e.opts.Index.Snapshot(), e.newShelf()
	doc, ok := shelf.at(snap, r.Place.Path)
	if !ok {
		return nil, e.notIndexed(r.Place.Path)
	}
	n := &neighbours{engine: e, snap: snap, shelf: shelf, doc: doc, limit: limit}
	n.note(note)
	n.find(ctx, r)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, s := range e.indexNotes(snap) {
		n.note(s)
	}
	return &RelatedResult{From: n.from, Edges: n.edges, Notes: n.notes}, nil
}

func checkDirection(d string) error {
	if slices.Contains(directions, d) {
		return nil
	}
	return &Error{
		Kind: Invalid, Message: fmt.Sprintf("unknown direction %q", d), Detail: "direction",
		Remedy: "Use callers, callees, imports, cochanged or all.",
	}
}

// notIndexed is the error for a document that the engine can't read, with the rule that says why.
func (e *Engine) notIndexed(path string) error {
	return &Error{
		Kind: NotIndexed, Message: path + " is not indexed", Detail: e.opts.Index.Explain(path).Rule,
		Remedy: "Open the file, or add its folder to the workspace.",
	}
}

// neighbours is one run of Related.
type neighbours struct {
	engine *Engine
	snap   *index.Snapshot
	shelf  *bookshelf
	doc    *document
	limit  int // edges of each kind

	from  string
	name  string
	own   *index.Ref // the definition of the symbol, or the chunk around the place
	edges []Edge
	notes []string
}

func (n *neighbours) note(s string) {
	if s != "" && !slices.Contains(n.notes, s) {
		n.notes = append(n.notes, s)
	}
}

func (n *neighbours) find(ctx context.Context, r RelatedRequest) {
	n.locate(r.Place.Offset)
	wants := func(d string) bool { return d == r.Direction || r.Direction == towardsAll }
	if n.name == "" && !wants(towardsImports) && !wants(towardsChanges) {
		n.note("there is no symbol here; put the cursor on a name")
		return
	}
	if wants(towardsCallers) && n.name != "" {
		n.addCallers()
	}
	if wants(towardsCallees) && n.own != nil {
		n.addCallees()
	}
	if wants(towardsImports) {
		n.addImports()
	}
	if wants(towardsChanges) {
		n.addChanged(ctx)
	}
	if r.Direction == towardsAll && n.own != nil && ctx.Err() == nil {
		n.addSimilar()
	}
	if len(n.edges) == 0 {
		n.note(fmt.Sprintf("nothing related to %s was found (%s)", cmp.Or(n.name, "this file"), r.Direction))
	}
}

// locate finds the symbol at the offset: the name under it, else the definition around it.
func (n *neighbours) locate(offset int) {
	n.from = n.doc.file.Path
	if sym, ok := n.engine.symbolAt(n.snap, n.doc, offset); ok {
		n.name, n.own, n.from = sym.name, &sym.definitions[0], sym.definitions[0].ID()
		return
	}
	if id, ok := identifierAt(n.doc.text, offset); ok && !keywords[id.name] && len(n.snap.Callers(id.name, 1)) > 0 {
		n.name, n.from = id.name, id.name // called here, defined elsewhere
		return
	}
	if ref, ok := chunkAround(n.doc, Selection{Start: offset}); ok && isDefinition(ref) {
		n.name, n.own, n.from = ref.Chunk().Name, &ref, ref.ID()
	}
}

func (n *neighbours) addCallers() {
	refs := nearest(n.snap.Callers(n.name, maxCounted), n.doc.file)
	n.add(refs, "caller", n.limit)
	if len(refs) > n.limit {
		n.note(fmt.Sprintf("%d more callers", len(refs)-n.limit))
	}
}

// addCallees adds, for every name that the symbol's chunk calls, the likeliest definition of it.
func (n *neighbours) addCallees() {
	doc, own, ok := n.shelf.open(*n.own)
	if !ok {
		return
	}
	n.add(calleesOf(n.snap, doc, own), "callee", n.limit)
}

// calleesOf returns the likeliest definition of every name that the chunk calls, in the order of the calls.
func calleesOf(snap *index.Snapshot, doc *document, own index.Ref) []index.Ref {
	var refs []index.Ref
	for _, call := range own.Chunk().Calls {
		if ref, ok := likeliest(snap, doc, call.Name); ok && ref != own && !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	}
	return refs
}

// likeliest returns the definition of a name that code in doc most probably means. A definition in another language
// is none.
func likeliest(snap *index.Snapshot, doc *document, name string) (index.Ref, bool) {
	sym := &symbol{identifier: identifier{name: name}, doc: doc}
	var best index.Ref
	weight := -1
	for _, ref := range keep(snap.Named(name, false), maxDefinitions, isDefinition) {
		if languageFamily(ref.File.Language) != languageFamily(doc.file.Language) {
			continue
		}
		if w := sym.weigh(ref); w > weight {
			best, weight = ref, w
		}
	}
	return best, weight >= 0
}

// addSimilar adds what the words of the symbol's own name and signature find elsewhere.
func (n *neighbours) addSimilar() {
	doc, own, ok := n.shelf.open(*n.own)
	if !ok {
		return
	}
	similar := slices.DeleteFunc(similarTo(n.snap, doc, own), n.joined)
	n.add(similar, "similar", maxSimilar)
}

// joined reports whether the chunk is a neighbour already, of whatever kind.
func (n *neighbours) joined(ref index.Ref) bool {
	return slices.ContainsFunc(n.edges, func(e Edge) bool { return e.To.ID == ref.ID() })
}

// similarTo returns definitions whose text shares the words of the chunk's name and signature, best first.
func similarTo(snap *index.Snapshot, doc *document, own index.Ref) []index.Ref {
	c := own.Chunk()
	hits, _ := snap.Search(index.Query{
		Text: c.Container + " " + c.Name + " " + signature(doc, c), Limit: 4 * maxSimilar,
		Chunk: func(ref index.Ref) bool {
			d := ref.Chunk()
			itself := ref.File.Abs == own.File.Abs && d.Name == c.Name && d.Container == c.Container && d.Ordinal == c.Ordinal
			return isDefinition(ref) && !itself
		},
	})
	var refs []index.Ref
	for _, h := range hits {
		refs = append(refs, h.Ref)
	}
	return refs
}

// add reads the chunks and joins them to the symbol. Weights fall from 1 with the position.
func (n *neighbours) add(refs []index.Ref, kind string, limit int) {
	added := 0
	for _, ref := range refs {
		if added == limit {
			return
		}
		if slices.ContainsFunc(n.edges, func(e Edge) bool { return e.Kind == kind && e.To.ID == ref.ID() }) {
			continue
		}
		weight := 1 / (1 + 0.1*float64(added))
		if n.join(ref, kind, weight, kind+" of "+cmp.Or(n.name, n.doc.file.Path)) {
			added++
		}
	}
}

// join adds an edge to the chunk. It reports false when the chunk is gone.
func (n *neighbours) join(ref index.Ref, kind string, weight float64, why string) bool {
	doc, fresh, ok := n.shelf.open(ref)
	if !ok {
		return false
	}
	hit := newHit(doc, fresh)
	hit.Explanation = why
	hit.Scores.Graph = &weight
	hit.setScore(weight, nil)
	n.edges = append(n.edges, Edge{To: hit, Kind: kind, Weight: weight})
	return true
}
