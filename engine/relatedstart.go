package engine

import (
	"fmt"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/sortby"
)

// start finds the symbol that a request is about.
func (n *neighbours) start(r *RelatedRequest) error {
	if r.Place.Path == "" {
		if err := n.startAtSymbol(r); err != nil {
			return err
		}
	}
	doc, ok := n.docs.at(n.snap, r.Place.Path)
	if !ok {
		return notIndexed(n.engine.opts.Index, r.Place.Path)
	}
	n.doc = doc
	if r.Line > 0 {
		offset, ok := offsetAt(doc, r.Line, r.Column)
		if !ok {
			return &Error{
				Kind: Invalid, Message: fmt.Sprintf("%s has no line %d", doc.file.Path, r.Line), Detail: "line",
				Remedy: fmt.Sprintf("Lines count from 1; it has %d.", doc.lines.Count()),
			}
		}
		r.Place.Offset = offset
	}
	n.locate(r.Place.Offset)
	return nil
}

// startAtSymbol turns the name of a symbol into the place of its definition: one that is no test, if there is one, the
// first by its path.
func (n *neighbours) startAtSymbol(r *RelatedRequest) error {
	refs := keep(n.snap.Named(r.Symbol, false), maxDefinitions, isDefinition)
	if len(refs) == 0 {
		return &Error{
			Kind: Invalid, Message: fmt.Sprintf("nothing called %q is defined here", r.Symbol), Detail: "symbol",
			Remedy: "Give a name as it is written, such as Search or Engine.Search, or a place, such as cart/cart.go:12.",
		}
	}
	sortby.Stable(refs, func(a, b index.Ref) int { return demotion(a) - demotion(b) })
	if len(refs) > 1 {
		n.note(fmt.Sprintf("%s has %d definitions; this is about the one in %s:%d (give path:line for another)",
			r.Symbol, len(refs), refs[0].File.Path, n.lineOf(refs[0])))
	}
	r.Place = Place{Path: refs[0].File.Abs, Offset: refs[0].Chunk().NameSpan.Start}
	if doc, fresh, ok := n.docs.open(refs[0]); ok {
		r.Place = Place{Path: doc.file.Abs, Offset: fresh.Chunk().NameSpan.Start}
	}
	return nil
}

// lineOf is the line of a definition's name, counted from one.
func (n *neighbours) lineOf(ref index.Ref) int {
	doc, fresh, ok := n.docs.open(ref)
	if !ok {
		return ref.Chunk().StartLine + 1
	}
	return doc.lines.Line(fresh.Chunk().NameSpan.Start) + 1
}

// offsetAt turns a line and a column, both counted from one, into an offset. Without a column, as in a stack trace or a
// diff, it is the name that the line defines, else that of the definition around it, else the first name in the line.
func offsetAt(doc *document, line, column int) (int, bool) {
	if line > doc.lines.Count() {
		return 0, false
	}
	start, end := doc.lines.Start(line-1), doc.lines.Start(line)
	if column > 0 {
		return min(start+column-1, end), true
	}
	for i := range doc.file.Chunks {
		name := doc.file.Chunks[i].NameSpan
		if !name.Empty() && start <= name.Start && name.Start < end {
			return name.Start, true
		}
	}
	if ref, ok := chunkAround(doc, Selection{Start: start}); ok && isDefinition(ref) && !ref.Chunk().NameSpan.Empty() {
		return ref.Chunk().NameSpan.Start, true
	}
	for at := start; at < end; at++ {
		if id, ok := identifierAt(doc.text, at); ok && !keywords[id.name] && id.start >= start {
			return id.start, true
		}
	}
	return start, true
}

// locate finds the symbol at the offset: the name under it, else the definition around it.
func (n *neighbours) locate(offset int) {
	n.from = n.doc.file.Path
	if sym, ok := n.engine.symbolAt(n.snap, n.doc, offset); ok {
		own := sym.definitions[0]
		if called, ok := n.calledAt(offset, sym); ok {
			own = called
		}
		n.name, n.own, n.from = sym.name, &own, own.ID()
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

// calledAt returns what the graph says a name means that is called where the cursor is; ok is false on the definition
// itself and where nothing is called.
func (n *neighbours) calledAt(offset int, sym *symbol) (index.Ref, bool) {
	if _, ok := definitionAt(n.doc.file, sym.identifier); ok {
		return index.Ref{}, false
	}
	around, ok := n.doc.file.At(offset)
	if !ok {
		return index.Ref{}, false
	}
	for _, e := range n.graph.Callees(presentNode(n.snap, n.links, around)) { // the surest first
		if e.To.Chunk().Name == sym.name {
			return n.links.Ref(e.To), true
		}
	}
	return index.Ref{}, false
}
