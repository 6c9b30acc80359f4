package codeintel

import (
	"bytes"
	"path"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

const (
	// maxSiblings bounds the files of a package of Go, of which the index is asked. The largest of Go's own source has 700.
	maxSiblings = 1000
	// maxParsed bounds those that have to be parsed for one name.
	maxParsed = 60
)

// siblings are the other files of a package of Go.
func (r *resolver) siblings(f *graph.File) []*graph.File {
	dir, _ := path.Split(f.Path)
	var files []*graph.File
	for other := range r.snap.Listed() {
		base, inside := strings.CutPrefix(other.Path, dir)
		if inside && other.Folder == f.Folder && other.Path != f.Path && other.Language == f.Language && !strings.Contains(base, "/") {
			if files = append(files, r.links.File(other)); len(files) == maxSiblings {
				break
			}
		}
	}
	return files
}

// topLevelOf finds the one declaration of a name, such as a variable's, outside of functions in files.
func (r *resolver) topLevelOf(files []*graph.File, name string) (found meaning, ok bool) {
	limit := maxParsed
	if len(files) > 0 && files[0].Language == "go" {
		limit = maxSiblings
	}
	for _, f := range files[:min(len(files), limit)] {
		m, declares := r.topLevelIn(f, name)
		if declares && ok {
			return meaning{}, false
		}
		if declares {
			found, ok = m, true
		}
	}
	return found, ok
}

// topLevelIn finds the declaration of a name outside of functions in a file. The index lists all of those of Go; files of other
// languages are parsed, as they may pass on what they import.
func (r *resolver) topLevelIn(f *graph.File, name string) (meaning, bool) {
	inGo := f.Language == "go"
	if _, listed := listedTopLevel(f.File, name); inGo && !listed {
		return meaning{}, false
	}
	doc, readable := r.docs.At(r.snap, r.links.Ref(graph.Node{File: f}).File.Abs)
	if !readable {
		return meaning{}, false
	}
	if inGo {
		span, listed := listedTopLevel(doc.File.File, name)
		return (&site{doc: doc}).declared(syntax.Declaration{Name: span, Kind: syntax.TopLevel}), listed && r.step()
	}
	if !bytes.Contains(doc.Text, []byte(name)) {
		return r.wildcard(f, name)
	}
	scopes := r.intel.scopes.of(doc)
	if scopes == nil {
		return meaning{}, false
	}
	return (&site{r: r, doc: doc, scopes: scopes}).exports(f, name)
}

// listedTopLevel returns the place of a name that a file of Go declares outside of functions.
func listedTopLevel(f *chunk.File, name string) (syntax.Span, bool) {
	for i := range f.Chunks {
		if c := &f.Chunks[i]; c.Name == name && c.Container == "" && !c.NameSpan.Empty() {
			return syntax.Span(c.NameSpan), true
		}
	}
	for s := range f.Symbols.Named(name) {
		if around := f.Chunks[s.Chunk].Type; s.Container == "" && ofPackage[s.Kind] && around != chunk.Function && around != chunk.Method {
			return syntax.Span(s.NameSpan), true
		}
	}
	return syntax.Span{}, false
}

// ofPackage are the kinds of symbols that a package of Go has.
var ofPackage = map[chunk.SymbolKind]bool{chunk.Constant: true, chunk.Variable: true, chunk.TypeName: true}

// exports resolves a name that a file declares outside of functions, or imports and so passes on.
func (p *site) exports(f *graph.File, name string) (meaning, bool) {
	d, ok := p.scopes.Lookup(name, 0)
	switch {
	case !ok:
		return p.r.wildcard(f, name)
	case !p.r.step():
		return meaning{}, false
	case d.Kind == syntax.TopLevel:
		return p.declared(d), true
	case d.Kind != syntax.Imported:
		return meaning{}, false
	}
	files, _ := p.r.names.ImportedAs(f, name)
	return p.r.topLevelOf(files, name)
}

// wildcard resolves a name that a file takes in with all others of a module: from x import *, use x::*.
func (r *resolver) wildcard(f *graph.File, name string) (meaning, bool) {
	if f.Language != "rust" && (f.Language != "python" || strings.HasPrefix(name, "_")) || !r.step() {
		return meaning{}, false
	}
	return r.topLevelOf(r.names.Wildcards(f), name)
}

// memberByImport resolves a name of a type's member that an import makes known without the type: import static shop.Limits.*.
func (r *resolver) memberByImport(f *graph.File, name string) (found meaning, ok bool) {
	for _, owner := range r.names.OwnersOf(f, name) {
		if m, has := r.memberOf(owner, name); has && ok && m != found {
			return meaning{}, false
		} else if has {
			found, ok = m, true
		}
	}
	return found, ok
}
