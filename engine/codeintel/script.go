package codeintel

import (
	"bytes"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// isScript reports whether a language is JavaScript or TypeScript.
func isScript(language string) bool { return graph.Family(language) == "javascript" }

func (p *site) isScript() bool { return isScript(p.doc.File.Language) }

// withMark adds the "#" that private members of scripts begin with.
func withMark(doc *codebase.Document, id identifier) identifier {
	if id.start > 0 && doc.Text[id.start-1] == '#' && isScript(doc.File.Language) {
		id.start--
		id.name = "#" + id.name
	}
	return id
}

// self is the class that "this" is an object of.
func (p *site) self() (meaning, bool) {
	owner, start, ok := p.scopes.Self(p.offset)
	if !ok {
		return meaning{}, false
	}
	for i := range p.doc.File.Chunks {
		c := &p.doc.File.Chunks[i]
		if c.Type == chunk.Class && c.Name == owner && start <= c.NameSpan.Start && c.NameSpan.End <= start+maxClassHead+len(owner) {
			return meaning{ref: index.Ref{File: p.doc.File, Index: i}, doc: p.doc, name: syntax.Span(c.NameSpan)}, true
		}
	}
	return meaning{}, false
}

// maxClassHead bounds the bytes from the beginning of a class to its name.
const maxClassHead = 40

// chosenByArguments reports whether the name calls one of several functions of that name in a file, which one the types of its
// arguments decide.
func (p *site) chosenByArguments(id identifier, m meaning) bool {
	rest := bytes.TrimLeft(p.doc.Text[id.end:], " ")
	if !m.isChunk() || !p.isScript() || !bytes.HasPrefix(rest, []byte("(")) && !bytes.HasPrefix(rest, []byte("<")) {
		return false
	}
	own, n := m.ref.Chunk(), 0
	for i := range m.ref.File.Chunks {
		if c := &m.ref.File.Chunks[i]; c.Name == own.Name && c.Container == own.Container && c.Type == own.Type {
			n++
		}
	}
	return n > 1
}

// areAccessors reports whether all declarations of a member are what reads and what writes it.
func (p *site) areAccessors(found []syntax.Declaration) bool {
	return !slices.ContainsFunc(found, func(d syntax.Declaration) bool {
		before := bytes.TrimRight(p.doc.Text[:d.Name.Start], " \t\r\n")
		return !bytes.HasSuffix(before, []byte(" get")) && !bytes.HasSuffix(before, []byte(" set"))
	})
}

// moduleAt is the file that the string around an offset imports.
func (r *resolver) moduleAt(doc *codebase.Document, offset int) (meaning, bool) {
	if !isScript(doc.File.Language) {
		return meaning{}, false
	}
	scopes := r.intel.scopes.of(doc)
	if scopes == nil {
		return meaning{}, false
	}
	span, ok := scopes.Module(offset)
	if !ok {
		return meaning{}, false
	}
	p := &site{r: r, doc: doc, scopes: scopes, offset: offset}
	files := p.modules(scopes.Text(span))
	if len(files) != 1 {
		return meaning{}, false
	}
	other, ok := r.docs.At(r.snap, r.links.Ref(graph.Node{File: files[0]}).File.Abs)
	if !ok {
		return meaning{}, false
	}
	start := codebase.FirstCode(other.Text)
	return meaning{doc: other, name: syntax.Span{Start: start, End: start}}, true
}

// modules are the files that a string of the text imports.
func (p *site) modules(quoted string) []*graph.File {
	return p.r.names.Modules(strings.Trim(quoted, "\"'`"), p.r.links.File(p.doc.File))
}

// exportedBy resolves a name of the file that a string imports.
func (p *site) exportedBy(quoted, name string) (meaning, bool) {
	return p.r.exportOf(p.modules(quoted), name)
}

// importedByScript resolves the name that an import of a script brings. A name for the whole module is declared by the import.
func (p *site) importedByScript(from *graph.File, d syntax.Declaration, name string) (meaning, bool) {
	imports := p.r.names.Imports(from, name)
	if len(imports) != 1 {
		return meaning{}, false
	}
	of := imports[0].Of
	switch of {
	case syntax.All:
		return p.declared(d), true
	case "":
		of = name
	}
	return p.r.exportOf(p.r.names.Modules(imports[0].Path, from), of)
}

// exportOf finds the one definition that files export under a name.
func (r *resolver) exportOf(files []*graph.File, name string) (meaning, bool) {
	return r.exportIn(files, name, map[*graph.File]bool{})
}

// exportIn is exportOf without the files that have been asked for the name.
func (r *resolver) exportIn(files []*graph.File, name string, seen map[*graph.File]bool) (found meaning, ok bool) {
	for _, f := range files {
		if seen[f] || len(seen) > maxParsed {
			continue
		}
		seen[f] = true
		m, exports := r.exportFrom(f, name, seen)
		if exports && ok && (m.doc != found.doc || m.name != found.name) {
			return meaning{}, false
		}
		if exports {
			found, ok = m, true
		}
	}
	return found, ok
}

// exportFrom resolves a name that a file exports: what it declares, what it passes on by name, or all that others export.
func (r *resolver) exportFrom(f *graph.File, name string, seen map[*graph.File]bool) (meaning, bool) {
	if !isScript(f.Language) {
		return meaning{}, false
	}
	for _, e := range f.Exports {
		switch {
		case e.Name != name || e.Of == syntax.All:
		case e.Path != "":
			if !r.step() {
				return meaning{}, false
			}
			return r.exportOf(r.names.Modules(e.Path, f), e.Of)
		default:
			return r.declaredIn(f, e.Of, true)
		}
	}
	if m, ok := r.declaredIn(f, name, false); ok || name == syntax.Default {
		return m, ok
	}
	if m, ok := r.propertyOfExports(f, name); ok {
		return m, true
	}
	var passed []*graph.File
	for _, e := range f.Exports {
		if e.Name == syntax.All {
			passed = append(passed, r.names.Modules(e.Path, f)...)
		}
	}
	return r.exportIn(passed, name, seen)
}

// propertyOfExports resolves a name that a file gives to what it exports as a whole: exports.x = 1, module.exports = {x: 1}, or
// the object of that name.
func (r *resolver) propertyOfExports(f *graph.File, name string) (meaning, bool) {
	whole := ""
	for _, e := range f.Exports {
		if e.Name == syntax.Default && e.Path == "" {
			whole = e.Of
		}
	}
	for s := range f.Symbols.Named(name) {
		doc, ok := r.docs.At(r.snap, r.links.Ref(graph.Node{File: f}).File.Abs)
		if !ok {
			return meaning{}, false
		}
		if s, ok = codebase.PresentSymbol(doc, s); !ok || s.Kind != chunk.Property && s.Kind != chunk.Constant {
			continue
		}
		before := doc.Text[:s.NameSpan.Start]
		if s.Container == whole && whole != "" || s.Container == "exports" || s.Container == "" && bytes.HasSuffix(before, []byte("exports.")) {
			return meaning{doc: doc, name: syntax.Span(s.NameSpan)}, true
		}
	}
	return meaning{}, false
}

// declaredIn resolves a name that a file declares outside of its functions, or imports where that counts, too.
func (r *resolver) declaredIn(f *graph.File, name string, imports bool) (meaning, bool) {
	doc, ok := r.docs.At(r.snap, r.links.Ref(graph.Node{File: f}).File.Abs)
	if !ok || !bytes.Contains(doc.Text, []byte(name)) {
		return meaning{}, false
	}
	scopes := r.intel.scopes.of(doc)
	if scopes == nil {
		return meaning{}, false
	}
	p := &site{r: r, doc: doc, scopes: scopes}
	d, ok := scopes.Lookup(name, 0)
	switch {
	case !ok:
		return meaning{}, false
	case d.Kind == syntax.TopLevel:
		return p.declared(d), true
	case d.Kind == syntax.Imported && imports && r.step():
		return p.importedByScript(f, d, name)
	}
	return meaning{}, false
}

// memberOfPath resolves a member of what a path of names stands for.
func (p *site) memberOfPath(path, name string) (meaning, bool) {
	names := strings.Split(path, ".")
	if slices.ContainsFunc(names, func(n string) bool { return !codebase.IsIdentifier(strings.TrimPrefix(n, "#")) }) {
		return meaning{}, false
	}
	owner, ok := p.typeOf(names)
	if !ok {
		return meaning{}, false
	}
	return p.r.memberOf(owner, name)
}
