package codeintel

import (
	"bytes"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// A meaning is what a name in code stands for.
type meaning struct {
	ref   index.Ref // the definition; its File is nil when it is no chunk of its own, as a variable
	doc   *codebase.Document
	name  syntax.Span // in doc
	local bool        // known in a part of one function only
}

func (m *meaning) isChunk() bool { return m.ref.File != nil }

// symbol returns the constant, the field or the other symbol of the index that is meant, if it is one.
func (m *meaning) symbol() (index.SymbolRef, bool) {
	for s := range m.doc.File.Symbols.All() {
		if s.NameSpan.Start == m.name.Start {
			return index.SymbolRef{Ref: index.Ref{File: m.doc.File, Index: s.Chunk}, Symbol: s}, true
		}
	}
	return index.SymbolRef{}, false
}

// proven is how sure package graph has to be of a definition that is shown as the one that is meant.
const proven = 0.8

// maxSteps bounds the steps from a name over the types of what stands before it.
const maxSteps = 12

// A resolver says what names mean, by the scopes of the texts and the imports between them. It is for one request.
type resolver struct {
	intel *Intel
	snap  *index.Snapshot
	docs  *codebase.DocumentCache
	links *index.Links
	graph *graph.Graph
	names graph.Names
	steps int
}

func (e *Intel) newResolver(snap *index.Snapshot, docs *codebase.DocumentCache) *resolver {
	links := snap.Links()
	g := graph.New(links)
	return &resolver{intel: e, snap: snap, docs: docs, links: links, graph: g, names: graph.NewNames(g)}
}

// resolve returns what a name in code means; ok is false unless it is proven. What stands in comments and strings is
// for the caller to leave out.
func (r *resolver) resolve(doc *codebase.Document, id identifier) (m meaning, ok bool) {
	scopes := r.intel.scopes.of(doc)
	if scopes == nil {
		return meaning{}, false
	}
	id = withMark(doc, id)
	p := &site{r: r, doc: doc, scopes: scopes, offset: id.start}
	key, isKey := scopes.Key(id.start)
	if isKey {
		if m, ok := p.keyed(key, id.name); ok {
			return m, true
		}
	}
	if d, ok := scopes.Declares(id.name, id.start); ok && d.Kind != syntax.Imported {
		return p.declared(d), true
	}
	if isKey {
		return meaning{}, false
	}
	m, ok = p.used(id.name)
	return m, ok && !p.chosenByArguments(id, m)
}

// used resolves a name at a place that does not declare it.
func (p *site) used(name string) (meaning, bool) {
	receiver, isMember := receiverBefore(p.doc.Text, p.offset)
	switch {
	case isMember:
		return p.member(receiver, name)
	case name == "this" && p.isScript():
		return p.self()
	}
	return p.plain(name)
}

// keyed resolves a name that stands for a part of something.
func (p *site) keyed(key syntax.KeyOwner, name string) (meaning, bool) {
	switch {
	case !key.Module.Empty():
		return p.exportedBy(p.scopes.Text(key.Module), name)
	case !key.Type.Empty():
		return p.memberOfNamed(key.Type, name)
	case !key.Source.Empty():
		return p.memberOfPath(p.scopes.Text(key.Source), name)
	}
	return meaning{}, false
}

// A site is where a name stands in a text.
type site struct {
	r      *resolver
	doc    *codebase.Document
	scopes *syntax.Scopes
	offset int
}

// at is the same text at another offset.
func (p *site) at(offset int) *site {
	q := *p
	q.offset = offset
	return &q
}

// in is a site in another file; nil when its text declares nothing.
func (r *resolver) in(file *graph.File, offset int) *site {
	doc, ok := r.docs.At(r.snap, r.links.Ref(graph.Node{File: file}).File.Abs)
	if !ok {
		return nil
	}
	scopes := r.intel.scopes.of(doc)
	if scopes == nil {
		return nil
	}
	return &site{r: r, doc: doc, scopes: scopes, offset: offset}
}

// step reports whether another step may be made.
func (r *resolver) step() bool {
	r.steps++
	return r.steps <= maxSteps
}

// node is the chunk around the place, as package graph knows it.
func (p *site) node() (graph.Node, bool) {
	around, ok := p.doc.File.At(p.offset)
	if !ok {
		return graph.Node{}, false
	}
	return codebase.PresentNode(p.r.snap, p.r.links, around), true
}

// declared is the meaning that a declaration of the text has: the chunk of its name, else the name itself.
func (p *site) declared(d syntax.Declaration) meaning {
	for i := range p.doc.File.Chunks {
		if span := p.doc.File.Chunks[i].NameSpan; span.Start == d.Name.Start && span.End == d.Name.End {
			return meaning{ref: index.Ref{File: p.doc.File, Index: i}, doc: p.doc, name: d.Name}
		}
	}
	return meaning{doc: p.doc, name: d.Name, local: d.Kind == syntax.Local}
}

// ofNode is the meaning that is a chunk.
func (r *resolver) ofNode(n graph.Node) (meaning, bool) {
	doc, fresh, ok := r.docs.Open(r.links.Ref(n))
	if !ok {
		return meaning{}, false
	}
	return meaning{ref: fresh, doc: doc, name: syntax.Span(fresh.Chunk().NameSpan)}, true
}

// plain resolves a name with nothing before it.
func (p *site) plain(name string) (meaning, bool) {
	d, known := p.scopes.Lookup(name, p.offset)
	if known && d.Kind != syntax.Imported {
		return p.declared(d), true
	}
	from, ok := p.node()
	if !ok {
		return meaning{}, false
	}
	if n, sure := p.r.names.Means(name, "", from); sure >= proven {
		return p.r.ofNode(n)
	}
	if n, sure := p.r.names.TypeNamed(name, "", from); sure >= proven {
		return p.r.ofNode(n)
	}
	if known {
		return p.imported(from, d, name)
	}
	if p.doc.File.Language == "go" {
		return p.r.topLevelOf(p.r.siblings(from.File), name)
	}
	if m, ok := p.r.memberByImport(from.File, name); ok {
		return m, true
	}
	return p.r.wildcard(from.File, name)
}

// imported resolves a name that an import brings: in Go that is the package, elsewhere what the module defines.
func (p *site) imported(from graph.Node, d syntax.Declaration, name string) (meaning, bool) {
	if p.doc.File.Language == "go" {
		return p.declared(d), true
	}
	if p.isScript() {
		return p.importedByScript(from.File, d, name)
	}
	files, _ := p.r.names.ImportedAs(from.File, name)
	if m, ok := p.r.topLevelOf(files, name); ok {
		return m, true
	}
	if m, ok := p.r.memberByImport(from.File, name); ok {
		return m, true
	}
	return p.r.module(files, name)
}

// module is the meaning of the name of an imported file or package.
func (r *resolver) module(files []*graph.File, name string) (meaning, bool) {
	if len(files) != 1 || !graph.IsModule(files[0], name) {
		return meaning{}, false
	}
	doc, ok := r.docs.At(r.snap, r.links.Ref(graph.Node{File: files[0]}).File.Abs)
	return meaning{doc: doc}, ok
}

// member resolves a name with something before it.
func (p *site) member(receiver []string, name string) (meaning, bool) {
	if len(receiver) == 0 || !p.r.step() {
		return meaning{}, false
	}
	from, ok := p.node()
	if !ok {
		return meaning{}, false
	}
	first := receiver[0]
	d, known := p.scopes.Lookup(first, p.offset)
	if len(receiver) == 1 && (!known || d.Kind == syntax.Imported) && !isSelf(first) {
		if files, imported := p.r.names.ImportedAs(from.File, first); imported {
			return p.exported(from, files, first, name)
		}
	}
	owner, ok := p.typeOf(receiver)
	if !ok {
		return meaning{}, false
	}
	return p.r.memberOf(owner, name)
}

// exported resolves a name that an import has.
func (p *site) exported(from graph.Node, files []*graph.File, qualifier, name string) (meaning, bool) {
	if n, sure := p.r.names.Means(name, qualifier, from); sure >= proven {
		return p.r.ofNode(n)
	}
	if n, sure := p.r.names.TypeNamed(name, qualifier, from); sure >= proven {
		return p.r.ofNode(n)
	}
	if p.isScript() {
		return p.r.exportOf(files, name)
	}
	if owner, sure := p.r.names.TypeNamed(qualifier, "", from); sure >= proven { // Mode::Fast
		if m, ok := p.r.memberOf(owner, name); ok {
			return m, true
		}
	}
	return p.r.topLevelOf(files, name)
}

// isSelf reports whether a word is how a language writes the own object.
func isSelf(word string) bool {
	return word == "self" || word == "this" || word == "cls" || word == "Self" || word == "$this"
}

// memberOfNamed resolves a member of the type of this name.
func (p *site) memberOfNamed(owner syntax.Span, name string) (meaning, bool) {
	if owner.Empty() {
		return meaning{}, false
	}
	n, ok := p.namedType(p.scopes.Text(owner))
	if !ok {
		return meaning{}, false
	}
	return p.r.memberOf(n, name)
}

// memberOf resolves a method or field of a type or of what it inherits from.
func (r *resolver) memberOf(owner graph.Node, name string) (meaning, bool) {
	if n, ok := r.names.Method(owner, name); ok && !isScript(owner.File.Language) {
		return r.ofNode(n)
	}
	if at, d, ok := r.ownField(owner, name); ok {
		return at.declared(d), true
	}
	for _, e := range r.graph.Supertypes(owner) {
		if e.Confidence < proven || !r.step() {
			continue
		}
		if m, ok := r.memberOf(e.To, name); ok {
			return m, true
		}
	}
	return meaning{}, false
}

// field finds the declaration of a field of a type or of what it inherits from.
func (r *resolver) field(owner graph.Node, name string) (*site, syntax.Declaration, bool) {
	if at, d, ok := r.ownField(owner, name); ok {
		return at, d, true
	}
	for _, e := range r.graph.Supertypes(owner) {
		if e.Confidence < proven || !r.step() {
			continue
		}
		if at, d, ok := r.field(e.To, name); ok {
			return at, d, true
		}
	}
	return nil, syntax.Declaration{}, false
}

func (r *resolver) ownField(owner graph.Node, name string) (*site, syntax.Declaration, bool) {
	at := r.in(owner.File, owner.Chunk().NameSpan.Start)
	if at == nil {
		return nil, syntax.Declaration{}, false
	}
	found := at.scopes.Members(owner.Chunk().Name, owner.Chunk().NameSpan.Start, name)
	if len(found) == 1 || len(found) > 1 && (!at.isScript() || at.areAccessors(found)) {
		return at.at(found[0].Name.Start), found[0], true
	}
	return nil, syntax.Declaration{}, false
}

// receiverBefore returns the names before the dot in front of a name, outermost first: s and index of s.index.Find. It is nil
// when something else stands there, such as a call; isMember is false when nothing does.
func receiverBefore(text []byte, start int) (receiver []string, isMember bool) {
	at := start
	for {
		before := bytes.TrimRight(text[:at], " \t\r\n")
		sep := separatorAt(before)
		if sep == 0 {
			return receiver, isMember
		}
		isMember = true
		before = bytes.TrimRight(before[:len(before)-sep], " \t\r\n")
		from, to := identifierSpan(before, len(before))
		if from == to {
			return nil, true
		}
		if from > 0 && before[from-1] == '#' {
			from--
		}
		receiver = append([]string{string(before[from:to])}, receiver...)
		at = from
	}
}

// separatorAt is the length of the dot, arrow or colons that a text ends with, 0 without one. Dots that spread are none.
func separatorAt(text []byte) int {
	for _, sep := range []string{"?.", "!.", "->", "::", "."} {
		if bytes.HasSuffix(text, []byte(sep)) && !bytes.HasSuffix(text, []byte("..")) {
			return len(sep)
		}
	}
	return 0
}
