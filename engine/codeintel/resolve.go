package codeintel

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/index/syntax"
)

// A symbol is a name at a place of a document and the definitions that it may mean, likeliest first.
type symbol struct {
	identifier
	doc         *codebase.Document
	Definitions []index.Ref
	named       []index.SymbolRef // when it means no chunk: what it means in the chunk of Definitions with the same index
	sure        bool              // the first definition is clearly the one that is meant
	own         bool              // it is the name in its definition

	declared *meaning // what is meant when that is no chunk; Definitions is empty then

	weights map[index.Ref]int
}

// SymbolAt finds what the cursor is on. doc is the present text of the file. It works by names, so several
// definitions may come back; those in the same file, package and language come first.
func (e *Intel) SymbolAt(snap *index.Snapshot, doc *codebase.Document, offset int) (*symbol, bool) {
	id, ok := nameAt(doc, offset)
	if !ok || keywords[id.name] || syntax.IsProse(doc.File.Language) && opensFence(doc.Text, id) {
		return nil, false
	}
	s := &symbol{identifier: id, doc: doc}
	if own, ok := definitionAt(doc.File, id); ok && !isDeclaration(own) {
		s.Definitions, s.sure, s.own = []index.Ref{own}, true, true
		return s, true
	}
	if own, ok := ownSymbol(doc.File, id); ok {
		s.own = true
		return s, s.narrowSymbols([]index.SymbolRef{own})
	}
	if syntax.IsProse(doc.File.Language) && !isMentionedAsCode(doc.Text, id) {
		return nil, false
	}
	refs := s.intended(codebase.Keep(snap.Named(id.name, false), codebase.MaxDefinitions, codebase.IsDefinition))
	if len(refs) == 0 {
		return s, s.narrowSymbols(s.symbols(snap))
	}
	s.weights = make(map[index.Ref]int, len(refs))
	for _, ref := range refs {
		s.weights[ref] = s.weigh(ref)
	}
	slices.SortStableFunc(refs, func(a, b index.Ref) int { return cmp.Compare(s.weights[b], s.weights[a]) })
	return s, s.narrow(refs)
}

// narrow leaves these definitions, the likeliest first, and reports whether there are any.
func (s *symbol) narrow(refs []index.Ref) bool {
	s.Definitions = refs
	s.sure = len(refs) == 1 || len(refs) > 1 && s.weights[refs[0]] > s.weights[refs[1]] && s.weights[refs[0]] >= weightSamePackage
	return len(refs) > 0
}

// The weights of what speaks for a definition. A sum of weaker signs never beats a stronger one.
const (
	weightNotTest     = 1
	weightLanguage    = 2
	weightSamePackage = 4
	weightQualifier   = 8
	weightSameFile    = 16
)

func (s *symbol) weigh(ref index.Ref) int {
	w := 0
	if ref.File.Abs == s.doc.File.Abs {
		w += weightSameFile
	}
	if s.qualifier != "" && codebase.IsPlaceOf(ref, s.qualifier) {
		w += weightQualifier
	}
	if codebase.DirName(ref.File.Path) == codebase.DirName(s.doc.File.Path) && ref.File.Folder == s.doc.File.Folder {
		w += weightSamePackage
	}
	if graph.Family(ref.File.Language) == graph.Family(s.doc.File.Language) {
		w += weightLanguage
	}
	if codebase.FileKind(ref.File.Path) == "" {
		w += weightNotTest
	}
	return w
}

// definitionAt returns the chunk of file whose name in its definition is id.
func definitionAt(file *index.File, id identifier) (index.Ref, bool) {
	for i := range file.Chunks {
		c := &file.Chunks[i]
		if c.NameSpan.Start <= id.start && id.end <= c.NameSpan.End && c.Name == id.name {
			return index.Ref{File: file, Index: i}, true
		}
	}
	return index.Ref{}, false
}

// opensFence reports whether the name is the language after the fence of a code block.
func opensFence(text []byte, id identifier) bool {
	return bytes.HasSuffix(text[:id.start], []byte("```")) || bytes.HasSuffix(text[:id.start], []byte("~~~"))
}

// isMentionedAsCode reports whether a name in prose stands for code: in backquotes, or spelled as no word is.
func isMentionedAsCode(text []byte, id identifier) bool {
	if strings.Contains(id.name, "_") || codebase.HasInnerCapital(id.name) {
		return true
	}
	lineStart := bytes.LastIndexByte(text[:id.start], '\n') + 1
	quotes, before := 0, byte(0)
	for _, b := range text[lineStart:id.start] {
		if b == '`' && before != '`' { // as many as stand together open or close
			quotes++
		}
		before = b
	}
	return quotes%2 == 1
}
