package codeintel

import (
	"bytes"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

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
