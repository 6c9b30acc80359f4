package codeintel

import (
	"bytes"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
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
	return meaning{}, false
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
	return p.r.topLevelOf(files, name)
}

// isSelf reports whether a word is how a language writes the own object.
func isSelf(word string) bool {
	return word == "self" || word == "this" || word == "cls" || word == "Self" || word == "$this"
}

// typeOf finds the type of what a path of names stands for, such as s.index.store.
func (p *site) typeOf(path []string) (graph.Node, bool) {
	owner, ok := p.typeOfName(path[0])
	for _, name := range path[1:] {
		if !ok || !p.r.step() {
			return graph.Node{}, false
		}
		owner, ok = p.r.typeOfMember(owner, name)
	}
	return owner, ok
}

// typeOfName finds the type of a variable, or the type that a name is.
func (p *site) typeOfName(name string) (graph.Node, bool) {
	if isSelf(name) {
		return p.ownType()
	}
	d, known := p.scopes.Lookup(name, p.offset)
	if !known || d.Kind == syntax.Imported {
		return p.asType(name)
	}
	if m := p.declared(d); m.isChunk() {
		return p.r.classOf(m)
	}
	return p.typeOfDeclaration(d)
}

// asType finds the type that a name is which the text does not declare.
func (p *site) asType(name string) (graph.Node, bool) {
	m, ok := p.plain(name)
	if !ok {
		return graph.Node{}, false
	}
	if m.isChunk() {
		return p.r.classOf(m)
	}
	if other := p.r.intel.scopes.of(m.doc); other != nil {
		if d, ok := other.Declares(name, m.name.Start); ok {
			return (&site{r: p.r, doc: m.doc, scopes: other, offset: m.name.Start}).typeOfDeclaration(d)
		}
	}
	return graph.Node{}, false
}

// classOf is the meaning itself when it is a type.
func (r *resolver) classOf(m meaning) (graph.Node, bool) {
	if m.ref.Chunk().Type != chunk.Class {
		return graph.Node{}, false
	}
	return codebase.PresentNode(r.snap, r.links, m.ref), true
}

// ownType is the type around the place.
func (p *site) ownType() (graph.Node, bool) {
	if p.isScript() {
		m, ok := p.self()
		if !ok || !m.isChunk() {
			return graph.Node{}, false
		}
		return p.r.classOf(m)
	}
	from, ok := p.node()
	owner := p.scopes.Owner(p.offset)
	if !ok || owner == "" {
		return graph.Node{}, false
	}
	n, sure := p.r.names.TypeNamed(owner, "", from)
	return n, sure >= proven
}

// typeOfDeclaration is the type that a declaration writes out, or the one that the function returns whose result it is.
func (p *site) typeOfDeclaration(d syntax.Declaration) (graph.Node, bool) {
	at := p.at(d.Name.Start)
	switch {
	case !d.Type.Empty():
		return at.namedType(p.scopes.Text(d.Type))
	case !d.Maker.Empty():
		return p.at(d.Maker.Start).typeMadeBy(p.scopes.Text(d.Maker))
	}
	return graph.Node{}, false
}

// namedType finds the type of a written name, such as Store or memory.Store.
func (p *site) namedType(written string) (graph.Node, bool) {
	qualifier, name := codebase.SplitName(written)
	from, ok := p.node()
	if !ok || name == "" || strings.ContainsAny(qualifier, ".") {
		return graph.Node{}, false
	}
	if d, known := p.scopes.Lookup(name, p.offset); qualifier == "" && known && d.Kind != syntax.Imported {
		if m := p.declared(d); m.isChunk() {
			return p.r.classOf(m)
		}
		return graph.Node{}, false
	}
	n, sure := p.r.names.TypeNamed(name, qualifier, from)
	return n, sure >= proven
}

// typeMadeBy is the type that a call makes: the class that is called, or the result that the function declares.
func (p *site) typeMadeBy(call string) (graph.Node, bool) {
	if !p.r.step() {
		return graph.Node{}, false
	}
	parts := strings.Split(call, ".")
	name, receiver := parts[len(parts)-1], parts[:len(parts)-1]
	m, ok := p.plain(name)
	if len(receiver) > 0 {
		m, ok = p.member(receiver, name)
	}
	if !ok || !m.isChunk() {
		return graph.Node{}, false
	}
	if m.ref.Chunk().Type == chunk.Class {
		return p.r.classOf(m)
	}
	written := resultType(m.doc.File.Language, m.ref.Chunk().Signature.In(m.doc.Text))
	scopes := p.r.intel.scopes.of(m.doc)
	if written == "" || scopes == nil {
		return graph.Node{}, false
	}
	return (&site{r: p.r, doc: m.doc, scopes: scopes, offset: m.name.Start}).namedType(written)
}

// resultType reads the name of the (first) type that a signature says is returned, "" when it says none.
func resultType(language string, signature []byte) string {
	end := bytes.LastIndexByte(signature, ')')
	var rest []byte
	switch graph.Family(language) {
	case "go":
		rest = goResult(signature)
	case "python":
		if at := bytes.LastIndex(signature, []byte("->")); at > end {
			rest = signature[at+2:]
		}
	case "javascript":
		if at := bytes.LastIndexByte(signature, ':'); at > end {
			rest = signature[at+1:]
		}
	}
	return writtenType(bytes.TrimRight(rest, " \t\r\n:{"))
}

// goResult is what follows the parameters.
func goResult(signature []byte) []byte {
	depth, lists := 0, 1
	if bytes.HasPrefix(signature, []byte("func (")) {
		lists = 2
	}
	for i, b := range signature {
		switch b {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				if lists--; lists == 0 {
					rest, _, _ := bytes.Cut(bytes.TrimLeft(signature[i+1:], " \t("), []byte(","))
					return bytes.TrimRight(rest, ") ")
				}
			}
		}
	}
	return nil
}

// writtenType is the text when it is a name, qualified or not, behind at most a pointer's mark.
func writtenType(text []byte) string {
	name := strings.TrimPrefix(strings.TrimSpace(string(text)), "*")
	if named, typed, ok := strings.Cut(name, " "); ok && codebase.IsIdentifier(named) {
		name = strings.TrimPrefix(typed, "*") // a result with a name
	}
	for _, part := range strings.Split(name, ".") {
		if !codebase.IsIdentifier(part) {
			return ""
		}
	}
	return name
}

// typeOfMember is the type of a field.
func (r *resolver) typeOfMember(owner graph.Node, name string) (graph.Node, bool) {
	at, d, ok := r.field(owner, name)
	if !ok {
		return graph.Node{}, false
	}
	return at.typeOfDeclaration(d)
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
