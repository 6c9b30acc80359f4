package evidence

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/index"
)

// How many citations that hold a word are read for their lines, and how many where lines of all kinds may hold it.
const (
	maxSearched = 400
	maxSwept    = 5000
)

// Lines returns the lines that fit, of the citations that hold one of the words, in the order of paths and numbers.
// The citations are those that the index finds by the words, the best first, so that
// lines are missed only when very many citations hold them.
func (l *Workspace) Lines(ctx context.Context, words string, fits func(line string) bool) ([]Line, error) {
	return l.linesOf(ctx, words, fits, maxSearched)
}

// Sweep is Lines for words that much else holds, too.
func (l *Workspace) Sweep(ctx context.Context, words string, fits func(line string) bool) ([]Line, error) {
	return l.linesOf(ctx, words, fits, maxSwept)
}

func (l *Workspace) linesOf(ctx context.Context, words string, fits func(line string) bool, most int) ([]Line, error) {
	hits, _ := l.Snap.Search(index.Query{Text: words, Limit: most})
	type at struct {
		file *index.File
		line int
	}
	seen := map[at]bool{}
	var out []Line
	for _, hit := range hits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		doc, fresh, ok := l.Docs.Open(hit.Ref)
		if !ok {
			continue
		}
		c := fresh.Chunk()
		number := doc.Lines.Line(c.Span.Start)
		for text := range strings.Lines(doc.Excerpt(doc.Lines.Start(number), c.Span.End)) {
			if where := (at{fresh.File, number}); !seen[where] && fits(strings.TrimRight(text, "\r\n")) {
				seen[where] = true
				line, ok, err := l.LineAt(ctx, fresh.File, number)
				if err != nil {
					return nil, err
				}
				if ok {
					out = append(out, line)
				}
			}
			number++
		}
	}
	sortLines(out)
	return out, nil
}

// LineAt hands out the innermost chunk around a line, counted from zero.
func (l *Workspace) LineAt(ctx context.Context, file *index.File, line int) (Line, bool, error) {
	doc, ok := l.Docs.At(l.Snap, file.Abs)
	if !ok || line >= doc.Lines.Count() {
		return Line{}, false, ctx.Err()
	}
	text := strings.TrimRight(doc.Excerpt(doc.Lines.Start(line), doc.Lines.Start(line+1)), "\r\n")
	indent := len(text) - len(strings.TrimLeft(text, " \t"))
	ref, ok := codebase.ChunkAround(doc, codebase.Selection{Path: file.Abs, Start: doc.Lines.Start(line) + indent, End: doc.Lines.Start(line) + indent})
	if !ok {
		return Line{}, false, ctx.Err()
	}
	list, err := l.read(ctx, []index.Ref{ref}, 1)
	if err != nil || len(list) == 0 {
		return Line{}, false, err
	}
	return Line{Citation: list[0], Number: line + 1, Text: text}, true, nil
}

// sortLines puts lines in the order of paths and numbers, those of tests last.
func sortLines(lines []Line) {
	rank := func(l Line) int {
		if l.Test {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.Path, b.Path), cmp.Compare(a.Number, b.Number))
	})
}

// List returns up to limit definitions in the order of paths and lines, those outside of tests first, and how many
// there are, and how many of these stand in tests, examples, and generated or foreign code.
func (l *Workspace) List(ctx context.Context, f Filter, limit int) (list []Citation, total, aside int, err error) {
	var refs []index.Ref
	for file := range l.Snap.Listed() {
		if !InPlace(file.Path, f.Path) {
			continue
		}
		for i := range file.Loaded().Chunks {
			if ref := (index.Ref{File: file, Index: i}); isListed(ref, f) {
				refs = append(refs, ref)
			}
		}
	}
	for _, ref := range refs {
		aside += codebase.SideCode(ref)
	}
	list, err = l.read(ctx, codebase.Nearest(refs, &index.File{}), limit)
	return list, len(refs), aside, err
}

// isListed reports whether a filter lets the chunk through. Without types, definitions and sections that have a name do.
func isListed(ref index.Ref, f Filter) bool {
	c := ref.Chunk()
	switch {
	case f.Container != "" && codebase.LastName(c.Container) != f.Container:
		return false
	case f.Fits != nil && !f.Fits(c.Name):
		return false
	case len(f.Types) == 0:
		return codebase.IsDefinition(ref) || f.Fits == nil && c.Name != ""
	}
	return c.Name != "" && slices.Contains(f.Types, string(c.Type))
}
