package evidence

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// membersOf are the kinds of symbols that are members of a type.
var membersOf = []chunk.SymbolKind{chunk.Constant, chunk.Variable, chunk.Field, chunk.Property, chunk.EnumMember, chunk.Column}

// Members returns the fields, variants and constants that a type declares, in the order of its text.
func (l *Workspace) Members(ctx context.Context, p Citation) ([]Citation, error) {
	ref, ok := l.refs[p.ID]
	if !ok {
		return nil, ctx.Err()
	}
	doc, fresh, ok := l.Docs.Open(ref)
	if !ok {
		return nil, ctx.Err()
	}
	c := fresh.Chunk()
	var out []Citation
	seen := map[string]bool{}
	for s := range doc.File.Symbols.All() {
		if s.NameSpan.Start < c.Span.Start || s.NameSpan.End > c.Span.End || codebase.LastName(s.Container) != c.Name || !slices.Contains(membersOf, s.Kind) || seen[s.Name] {
			continue
		}
		seen[s.Name] = true
		out = append(out, l.citeSymbol(doc, fresh, s))
	}
	return out, ctx.Err()
}

// Declared returns the variables and constants of files of a language, outside of tests and functions, whose names fit.
func (l *Workspace) Declared(ctx context.Context, language string, fits func(name string) bool, limit int) ([]Citation, error) {
	var out []Citation
	for file := range l.Snap.Listed() {
		if file.Language != language || codebase.FileKind(file.Path) != "" {
			continue
		}
		for s := range file.Loaded().Symbols.All() {
			if len(out) == limit || ctx.Err() != nil {
				return out, ctx.Err()
			}
			if s.Container != "" || s.Kind != chunk.Variable && s.Kind != chunk.Constant || !fits(s.Name) {
				continue
			}
			if doc, fresh, ok := l.Docs.Open(index.Ref{File: file, Index: s.Chunk}); ok {
				out = append(out, l.citeSymbol(doc, fresh, s))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Citation) int { return cmp.Or(strings.Compare(a.Path, b.Path), a.Line-b.Line) })
	return out, ctx.Err()
}

func (l *Workspace) citeSymbol(doc *codebase.Document, ref index.Ref, s chunk.Symbol) Citation {
	h := snippet.OfSymbol(doc, ref, s)
	h.Explanation = "cited in the answer"
	l.refs[h.ID] = ref
	p := l.Cite(h)
	p.Kind = s.Kind.String()
	return p
}

// IsProject reports whether a word is the name of the folder that is open.
func (l *Workspace) IsProject(word string) bool {
	return slices.ContainsFunc(l.Snap.Folders(), func(folder string) bool { return strings.EqualFold(codebase.BaseName(folder), word) })
}
