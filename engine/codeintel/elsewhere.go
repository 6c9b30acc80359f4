package codeintel

import (
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// isElsewhere reports whether a name whose meaning is not known is shown, by what stands before it, to be no use of a symbol: a part of
// an import or of a type that doesn't have the symbol.
func (p *site) isElsewhere(named index.SymbolRef) bool {
	receiver, isMember := receiverBefore(p.doc.Text, p.offset)
	from, ok := p.node()
	if !isMember || len(receiver) == 0 || !ok {
		return false
	}
	first := receiver[0]
	d, known := p.scopes.Lookup(first, p.offset)
	if isImport := !known || d.Kind == syntax.Imported; isImport && !isSelf(first) {
		if files, imported := p.r.names.ImportedAs(from.File, first); imported {
			return len(receiver) == 1 && p.doc.File.Language == "go" && named.Container != "" || !p.mayHold(files, named)
		}
	}
	if _, ok := p.typeOf(receiver); ok {
		return true // or it would have been found
	}
	return known && len(receiver) == 1 && p.isForeign(from, d)
}

// mayHold reports whether an import of these files may lead to the symbol.
func (p *site) mayHold(files []*graph.File, named index.SymbolRef) bool {
	if p.doc.File.Language != "go" {
		return len(files) > 0 // it may be passed on
	}
	return slices.ContainsFunc(files, func(f *graph.File) bool {
		return codebase.DirName(p.r.links.Ref(graph.Node{File: f}).File.Path) == codebase.DirName(named.File.Path)
	})
}

// isForeign reports whether a variable is of a type, or made by a function, that is imported from outside of the workspace.
func (p *site) isForeign(from graph.Node, d syntax.Declaration) bool {
	written := p.scopes.Text(d.Type)
	if d.Type.Empty() {
		written = p.scopes.Text(d.Maker)
	}
	first, _, qualified := strings.Cut(strings.TrimLeft(written, "*&"), ".")
	if written == "" || !qualified && p.doc.File.Language == "go" {
		return false
	}
	if inner, known := p.scopes.Lookup(first, d.Name.Start); known && inner.Kind != syntax.Imported {
		return false
	}
	files, imported := p.r.names.ImportedAs(from.File, first)
	return imported && len(files) == 0
}
