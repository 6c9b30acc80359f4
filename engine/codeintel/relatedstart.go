package codeintel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// start finds the symbol that a request is about.
func (n *neighbours) start(r *RelatedRequest) error {
	if r.Place.Path == "" {
		if err := n.startAtSymbol(r); err != nil {
			return err
		}
	}
	doc, ok := n.docs.At(n.snap, r.Place.Path)
	if !ok {
		return codebase.NotIndexed(n.intel.Index, r.Place.Path)
	}
	n.doc = doc
	if r.Line > 0 {
		offset, ok := offsetAt(doc, r.Line, r.Column)
		if !ok {
			return &fault.Error{
				Kind: fault.Invalid, Message: fmt.Sprintf("%s has no line %d", doc.File.Path, r.Line), Detail: "line",
				Remedy: fmt.Sprintf("Lines count from 1; it has %d.", doc.Lines.Count()),
			}
		}
		r.Place.Offset = offset
	}
	n.locate(r.Place.Offset)
	return nil
}

// maxWeighedDefinitions bounds the definitions of a name of which is asked whether something calls them.
const maxWeighedDefinitions = 10

// startAtSymbol turns the name of a symbol into the place of its definition: one that is no test, if there is one, and that something
// calls, the first by its path.
func (n *neighbours) startAtSymbol(r *RelatedRequest) error {
	r.Symbol = strings.ReplaceAll(r.Symbol, ".prototype.", ".") // as JavaScript writes it
	refs := codebase.Keep(n.snap.Named(r.Symbol, false), codebase.MaxDefinitions, codebase.IsDefinition)
	if len(refs) == 0 && n.startAtDeclaration(r) {
		return nil
	}
	for _, name := range codebase.NameForms(r.Symbol) { // as languages and people write it: Rack::Deflater, valid without its mark
		if len(refs) > 0 {
			break
		}
		if refs = codebase.Definitions(n.snap, name, codebase.MaxDefinitions, codebase.IsDefinition); len(refs) == 0 {
			declared := *r
			if declared.Symbol = name; n.startAtDeclaration(&declared) {
				*r = declared
				return nil
			}
		}
	}
	if len(refs) == 0 {
		return &fault.Error{
			Kind: fault.NotFound, Message: fmt.Sprintf("nothing called %q is defined here", r.Symbol), Detail: "symbol",
			Remedy: "Give a name as it is written, such as Search or Engine.Search, or a place, such as cart/cart.go:12.",
		}
	}
	uncalled := map[index.Ref]int{}
	for _, ref := range refs[:min(len(refs), maxWeighedDefinitions)] {
		if callers, _ := n.graph.Callers(codebase.PresentNode(n.snap, n.links, ref)); len(callers) == 0 {
			uncalled[ref] = 1
		}
	}
	slices.SortStableFunc(refs, func(a, b index.Ref) int {
		return cmp.Or(codebase.SideCode(a)-codebase.SideCode(b), uncalled[a]-uncalled[b])
	})
	n.noteOthers(r.Symbol, len(refs), refs[0], n.lineOf(refs[0]))
	r.Place = codebase.Place{Own: r.Place.Own, Path: refs[0].File.Abs, Offset: refs[0].Chunk().NameSpan.Start}
	if doc, fresh, ok := n.docs.Open(refs[0]); ok {
		r.Place = codebase.Place{Own: r.Place.Own, Path: doc.File.Abs, Offset: fresh.Chunk().NameSpan.Start}
	}
	return nil
}

// startAtDeclaration turns the name of a constant, a field or another symbol that is no chunk into its place.
func (n *neighbours) startAtDeclaration(r *RelatedRequest) bool {
	found := codebase.NearestSymbols(n.snap, r.Symbol, "")
	for _, s := range found {
		doc, _, ok := n.docs.Open(s.Ref)
		if !ok {
			continue
		}
		if present, ok := codebase.PresentSymbol(doc, s.Symbol); ok {
			r.Place = codebase.Place{Own: r.Place.Own, Path: doc.File.Abs, Offset: present.NameSpan.Start}
			if len(found) > 1 {
				n.note(fmt.Sprintf("%s has %d declarations; this is about the one in %s:%d (give path:line for another)",
					r.Symbol, len(found), doc.File.Path, doc.Lines.Line(present.NameSpan.Start)+1))
			}
			return true
		}
	}
	return false
}

// noteOthers says which of several definitions of a name is meant.
func (n *neighbours) noteOthers(name string, count int, ref index.Ref, line int) {
	if count > 1 {
		n.note(fmt.Sprintf("%s has %d definitions; this is about the one in %s:%d (give path:line for another)", name, count, ref.File.Path, line))
	}
}

// lineOf is the line of a definition's name, counted from one.
func (n *neighbours) lineOf(ref index.Ref) int {
	doc, fresh, ok := n.docs.Open(ref)
	if !ok {
		return ref.Chunk().StartLine + 1
	}
	return doc.Lines.Line(fresh.Chunk().NameSpan.Start) + 1
}

// offsetAt turns a line and a column, both counted from one, into an offset. Without a column, as in a stack trace or a
// diff, it is the name that the line defines, else that of the definition around it, else the first name in the line.
func offsetAt(doc *codebase.Document, line, column int) (int, bool) {
	if line > doc.Lines.Count() {
		return 0, false
	}
	start, end := doc.Lines.Start(line-1), doc.Lines.Start(line)
	if column > 0 {
		return min(start+column-1, end), true
	}
	for i := range doc.File.Chunks {
		name := doc.File.Chunks[i].NameSpan
		if !name.Empty() && start <= name.Start && name.Start < end {
			return name.Start, true
		}
	}
	if ref, ok := codebase.ChunkAround(doc, codebase.Selection{Start: start}); ok && codebase.IsDefinition(ref) && !ref.Chunk().NameSpan.Empty() {
		return ref.Chunk().NameSpan.Start, true
	}
	for at := start; at < end; at++ {
		if id, ok := nameAt(doc, at); ok && !keywords[id.name] && id.start >= start {
			return id.start, true
		}
	}
	return start, true
}

// locate finds the symbol at the offset: the name under it, else the definition around it.
func (n *neighbours) locate(offset int) {
	n.from = n.doc.File.Path
	if inner, ok := localAt(n.doc.File, offset); ok {
		n.name, n.inner, n.from = inner.Name, &inner, "code:"+n.doc.File.Path+":"+inner.QualifiedName()
		return
	}
	if sym, ok := n.intel.SymbolAt(n.snap, n.doc, offset); ok {
		own := sym.Definitions[0]
		if sym.named != nil {
			n.name, n.named, n.from = sym.name, &sym.named[0], own.ID()
			return
		}
		if called, ok := n.calledAt(offset, sym); ok {
			own = called
		}
		n.name, n.own, n.from = sym.name, &own, own.ID()
		return
	}
	if id, ok := nameAt(n.doc, offset); ok && !keywords[id.name] && len(n.snap.Callers(id.name, 1)) > 0 {
		n.name, n.from = id.name, id.name // called here, defined elsewhere
		return
	}
	if ref, ok := codebase.ChunkAround(n.doc, codebase.Selection{Start: offset}); ok && codebase.IsDefinition(ref) {
		n.name, n.own, n.from = ref.Chunk().Name, &ref, ref.ID()
	}
}

// localAt returns the function inside another one on whose name an offset is.
func localAt(file *index.File, offset int) (index.SymbolRef, bool) {
	for s := range file.Symbols.All() {
		if s.Kind == chunk.LocalFunction && s.NameSpan.Start <= offset && offset <= s.NameSpan.End {
			return index.SymbolRef{Ref: index.Ref{File: file, Index: s.Chunk}, Symbol: s}, true
		}
	}
	return index.SymbolRef{}, false
}

// calledAt returns what the graph says a name means that is called where the cursor is; ok is false on the definition
// itself and where nothing is called.
func (n *neighbours) calledAt(offset int, sym *symbol) (index.Ref, bool) {
	if _, ok := definitionAt(n.doc.File, sym.identifier); ok {
		return index.Ref{}, false
	}
	around, ok := n.doc.File.At(offset)
	if !ok {
		return index.Ref{}, false
	}
	for _, e := range n.graph.Callees(codebase.PresentNode(n.snap, n.links, around)) { // the surest first
		if e.To.Chunk().Name == sym.name {
			return n.links.Ref(e.To), true
		}
	}
	return index.Ref{}, false
}
