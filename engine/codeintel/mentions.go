package codeintel

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// The confidences of mentions that nothing proves: by whether the place is in the file or the package of the declaration. They are the
// shares that language servers call uses, of nine repositories in Go, TypeScript and Python. What scopes and imports prove has
// sureReference.
const (
	nearMention    = 0.2
	nearInGo       = 0.4
	distantMention = 0.05
	typeWeight     = 0.8 // of a place that uses a type, beside 1 for a call
)

// addMentions joins the chunks that read or write a symbol to it: who uses a constant or a field is not said by calls.
func (n *neighbours) addMentions() {
	if n.named.File.Language == "go" && n.named.Ref.Chunk().Kind == chunk.KindFunction {
		return // of a struct that is known in one function
	}
	m := mentions{n: n, r: n.intel.newResolver(n.snap, n.docs), word: wordOf([]string{n.name})}
	m.addFrom(n.named.File)
}

// addTypeUses joins the chunks to a type that use it other than by a call, where that is proven: as the type of a parameter, a field
// or a value, as what is asserted, or of what something is made. Its own methods are none.
func (n *neighbours) addTypeUses(own index.Ref) {
	if own.Chunk().Type != chunk.Class || !hasScopes(own.File.Language) {
		return
	}
	m := mentions{n: n, r: n.intel.newResolver(n.snap, n.docs), word: wordOf([]string{own.Chunk().Name}), ofType: &own}
	m.addFrom(own.File)
}

// addFrom adds the edges of the chunks with the name, the nearest to its file first.
func (m *mentions) addFrom(file *index.File) {
	n, family := m.n, graph.Family(file.Language)
	hits, _ := n.snap.Search(index.Query{
		Text: n.name, Limit: maxReferenceChunks, Accept: func(f *index.File) bool { return graph.Family(f.Language) == family },
	})
	refs := chunksOf(file)
	for _, h := range hits {
		if h.Ref.File.Abs != file.Abs {
			refs = append(refs, h.Ref)
		}
	}
	added := 0
	for _, ref := range codebase.Nearest(refs, file) {
		if added == n.limit {
			break
		}
		if edge, fresh, ok := m.edge(ref); ok && !(m.ofType != nil && (n.joined(fresh) || m.isMember(fresh))) && n.join(fresh, edge) {
			added++
		}
	}
}

// mentions finds where one symbol that is no chunk, or one type, is used.
type mentions struct {
	n      *neighbours
	r      *resolver
	word   *regexp.Regexp
	ofType *index.Ref // the type; nil for a symbol
}

// A use is a place where a name is read or written.
type use struct {
	at      int // -1 without one
	end     int
	proven  bool
	write   bool
	foreign bool // it is a part of something of which nothing is known
}

// edge looks for the symbol in a chunk, without what is inside it. What proves to be something else of the name is no use.
func (m *mentions) edge(ref index.Ref) (Edge, index.Ref, bool) {
	doc, fresh, ok := m.n.docs.Open(ref)
	if !ok {
		return Edge{}, ref, false
	}
	c := fresh.Chunk()
	text := c.Span.In(doc.Text)
	best := use{at: -1}
	for at := 0; at < len(text); {
		found := m.word.FindSubmatchIndex(text[at:])
		if found == nil {
			break
		}
		start, end := c.Span.Start+at+found[4], c.Span.Start+at+found[5]
		at += found[5]
		if inner, ok := doc.File.At(start); !ok || inner.Index != fresh.Index {
			continue
		}
		u := m.useAt(doc, start, end)
		u.end = end
		if u.at >= 0 && (best.at < 0 || u.proven && !best.proven) {
			u.write = u.write || best.write && best.proven == u.proven
			best = u
		} else if u.at >= 0 && u.proven == best.proven {
			best.write = best.write || u.write
		}
	}
	if best.at < 0 {
		return Edge{}, ref, false
	}
	return m.edgeOf(doc, fresh, best), fresh, true
}

func (m *mentions) edgeOf(doc *codebase.Document, ref index.Ref, u use) Edge {
	if m.ofType != nil {
		why := fmt.Sprintf("uses the type in line %d", doc.Lines.Line(u.at)+1)
		return Edge{From: m.n.from, Kind: "type", Weight: typeWeight, Confidence: sureReference, Why: why, At: doc.RangeOf(chunk.Span{Start: u.at, End: u.end})}
	}
	e := Edge{From: m.n.from, Kind: "read", Confidence: distantMention, Why: "mentions " + m.n.name, At: doc.RangeOf(chunk.Span{Start: u.at, End: u.end})}
	verb := "reads"
	if u.write {
		e.Kind, verb = "write", "writes"
	}
	switch {
	case u.proven:
		e.Confidence, e.Why = sureReference, fmt.Sprintf("%s it in line %d", verb, doc.Lines.Line(u.at)+1)
	case u.foreign:
	case codebase.DirName(ref.File.Path) == codebase.DirName(m.n.named.File.Path),
		slices.ContainsFunc(ref.File.Imports, func(i chunk.Import) bool { return i.Name == m.n.name }):
		if e.Confidence = nearMention; doc.File.Language == "go" {
			e.Confidence = nearInGo
		}
	}
	e.Weight = e.Confidence
	return e
}

// useAt says whether the name from start to end is a use of the symbol.
func (m *mentions) useAt(doc *codebase.Document, start, end int) use {
	none := use{at: -1}
	if m.isDeclaration(doc, start) || codebase.IsProse(doc.Text, doc.File.Language, start) {
		return none
	}
	if m.ofType != nil {
		if m.meansType(doc, start) {
			return use{at: start, proven: true}
		}
		return none
	}
	u := use{at: start, write: isWritten(doc.Text, start, end)}
	if !hasScopes(doc.File.Language) {
		return u
	}
	id, ok := nameAt(doc, start)
	if !ok || id.start != start || imports(doc, start) {
		return none
	}
	scopes := m.n.intel.scopes.of(doc)
	if scopes == nil {
		return u
	}
	if d, ok := scopes.Declares(id.name, start); ok && d.Kind == syntax.Imported {
		return none
	}
	_, isKey := scopes.Key(start)
	u.write = u.write || isKey
	definition, known := m.r.resolve(doc, id)
	m.r.steps = 0
	if known {
		s, ok := definition.symbol()
		u.proven = ok && m.isSame(definition.doc, s)
		if !u.proven {
			return none
		}
		return u
	}
	if _, isMember := receiverBefore(doc.Text, start); m.n.named.Container != "" && !isMember && !isKey && explicitSelf[graph.Family(doc.File.Language)] {
		return none // a field stands behind what it belongs to
	}
	p := &site{r: m.r, doc: doc, scopes: scopes, offset: start}
	elsewhere := p.isElsewhere(*m.n.named)
	m.r.steps = 0
	if elsewhere {
		return none
	}
	u.foreign = isKey
	return u
}

// isMember reports whether a chunk is a method of the type, whose receiver names it.
func (m *mentions) isMember(ref index.Ref) bool {
	own := m.ofType.Chunk()
	return ref.Chunk().Container == own.QualifiedName() && codebase.DirName(ref.File.Path) == codebase.DirName(m.ofType.File.Path)
}

// meansType reports whether the name at an offset is proven to be the type.
func (m *mentions) meansType(doc *codebase.Document, start int) bool {
	id, ok := nameAt(doc, start)
	if !ok || id.start != start || imports(doc, start) {
		return false
	}
	definition, known := m.r.resolve(doc, id)
	m.r.steps = 0
	return known && definition.isChunk() && definition.ref.ID() == m.ofType.ID()
}

// isSame reports whether a symbol is the one that is asked about, or another declaration of it in the same type or function.
func (m *mentions) isSame(doc *codebase.Document, s index.SymbolRef) bool {
	if doc.File.Abs != m.n.named.File.Abs {
		return false
	}
	own, ok := codebase.PresentSymbol(doc, m.n.named.Symbol)
	return ok && (s.NameSpan == own.NameSpan || s.Name == own.Name && s.Container == own.Container && s.Ref.Index == own.Chunk)
}

// isDeclaration reports whether an offset is where the symbol, or the type, is declared.
func (m *mentions) isDeclaration(doc *codebase.Document, at int) bool {
	if m.ofType != nil {
		own, ok := doc.File.At(at)
		return ok && own.ID() == m.ofType.ID()
	}
	if doc.File.Abs != m.n.named.File.Abs {
		return false
	}
	s, ok := codebase.PresentSymbol(doc, m.n.named.Symbol)
	return ok && s.NameSpan.Start == at
}

// assigned is what follows a name that is given a value.
var assigned = lazyregexp.New(`^(?:\s*(?:=[^=>]|:=|[-+*/%&|^]=|\*\*=|//=|<<=|>>=|\?\?=|&&=|\|\|=)|\+\+|--)`)

// isWritten reports whether a name is given a value.
func isWritten(text []byte, start, end int) bool {
	before := text[max(0, start-2):start]
	return assigned.Match(text[end:]) || bytes.Equal(before, []byte("++")) || bytes.Equal(before, []byte("--"))
}
