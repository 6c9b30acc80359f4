package codeintel

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/codeintel/finding"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/index/graph"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// sameBody is the share of words in common from which a definition in place of a removed one is that one by another name.
const sameBody = 0.6

// A change is what a diff does to one file.
type change struct {
	diff        git.FileDiff
	old, now    *codebase.Document // either may be nil
	gone, added []declaration
}

// A declaration is a definition, or another symbol of the index, in one text.
type declaration struct {
	ref             index.Ref
	symbol          *index.SymbolRef // nil for a definition
	name, container string
	kind            string
	span, nameSpan  chunk.Span
}

func (d *declaration) qualified() string { return strings.TrimPrefix(d.container+"."+d.name, ".") }

// place is the name and the type around it, whichever language joins their names how.
func (d *declaration) place() [2]string { return [2]string{codebase.LastName(d.container), d.name} }

func isCode(f *index.File) bool {
	kind := codebase.KindOf(f)
	return kind == "" || kind == codebase.TestCode || kind == codebase.ExampleCode
}

func documentOf(f *index.File) *codebase.Document {
	return &codebase.Document{File: f, Text: f.Buffer, Lines: text.NewLines(f.Buffer)}
}

// undo is a text before hunks, and which lines of it, zero-based and half-open, each hunk removed; false when the text is not the one after them.
func undo(present string, hunks []git.Hunk) (before string, removed [][2]int, ok bool) {
	lines := strings.SplitAfter(present, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var out []string
	at := 0
	for _, h := range hunks {
		from := h.Line - 1
		if from < at || from+len(h.Added) > len(lines) {
			return "", nil, false
		}
		out = append(out, lines[at:from]...)
		for i, line := range h.Added {
			if strings.TrimRight(lines[from+i], "\r\n") != line {
				return "", nil, false
			}
		}
		if n := len(out); n > 0 && !strings.HasSuffix(out[n-1], "\n") {
			out[n-1] += "\n"
		}
		removed = append(removed, [2]int{len(out), len(out) + len(h.Removed)})
		for _, line := range h.Removed {
			out = append(out, line+"\n")
		}
		at = from + len(h.Added)
	}
	return strings.Join(append(out, lines[at:]...), ""), removed, true
}

// compare finds the declarations that are there before and no longer, and those that are new. Members of a type that is gone go with it,
// where uses of the type are found.
func (c *change) compare(removed [][2]int) {
	var before, after []declaration
	known, past := map[[2]string]bool{}, map[[2]string]bool{}
	if c.now != nil {
		after = declarations(c.now.File)
		for i := range after {
			known[after[i].place()] = true
		}
		for _, imp := range c.now.File.Imports {
			known[[2]string{"", cmp.Or(imp.Name, codebase.LastName(strings.ReplaceAll(imp.Path, "::", ".")))}] = true
			known[[2]string{"", imp.Of}] = true
		}
		for _, e := range c.now.File.Exports {
			known[[2]string{"", e.Name}] = true
		}
	}
	if c.old != nil {
		before = declarations(c.old.File)
		for i := range before {
			past[before[i].place()] = true
		}
	}
	types := map[string]bool{}
	for _, d := range before {
		if d.symbol == nil && d.ref.Chunk().Type == chunk.Class && !known[d.place()] && followed[graph.Family(d.ref.File.Language)] {
			types[d.name] = true
		}
	}
	for _, d := range before {
		line := c.old.Lines.Line(d.nameSpan.Start)
		inRemoved := slices.ContainsFunc(removed, func(r [2]int) bool { return r[0] <= line && line < r[1] })
		if known[d.place()] || !inRemoved || types[codebase.LastName(d.container)] || c.now != nil && c.now.File.Errors && c.adds(d.name) {
			continue
		}
		c.gone = append(c.gone, d)
	}
	for _, d := range after {
		if !past[d.place()] {
			c.added = append(c.added, d)
		}
	}
}

// adds reports whether an added line has a word.
func (c *change) adds(name string) bool {
	word := wordOf([]string{name})
	return slices.ContainsFunc(c.diff.Hunks, func(h git.Hunk) bool { return slices.ContainsFunc(h.Added, word.MatchString) })
}

// declarations are what a file defines for others, or for the whole of itself.
func declarations(f *index.File) []declaration {
	var all []declaration
	for i := range f.Chunks {
		c := &f.Chunks[i]
		if ref := (index.Ref{File: f, Index: i}); codebase.IsDefinition(ref) && codebase.IsIdentifier(c.Name) && !c.NameSpan.Empty() {
			all = append(all, declaration{ref: ref, name: c.Name, container: c.Container, kind: string(c.Type), span: c.Span, nameSpan: c.NameSpan})
		}
	}
	for s := range f.Symbols.All() {
		switch s.Kind {
		case chunk.Constant, chunk.Variable, chunk.Field, chunk.Property, chunk.EnumMember, chunk.Macro, chunk.Member, chunk.TypeName:
		default:
			continue
		}
		ref := index.Ref{File: f, Index: s.Chunk}
		if t := ref.Chunk().Type; t == chunk.Function || t == chunk.Method || !codebase.IsIdentifier(s.Name) {
			continue // known in one function
		}
		all = append(all, declaration{
			ref: ref, symbol: &index.SymbolRef{Ref: ref, Symbol: s}, name: s.Name, container: s.Container, kind: s.Kind.String(), span: s.Span, nameSpan: s.NameSpan,
		})
	}
	return all
}

// renamedTo is the declaration that stands in place of one that is gone and says the same, nil without one.
func (c *change) renamedTo(d *declaration) *declaration {
	best := c.likest(d, c.added)
	if best == nil || c.likest(best, c.gone) != d {
		return nil
	}
	return best
}

// placeOf is a finding where a declaration was, as the file is now; without a path when the file is gone.
func (c *change) placeOf(d *declaration) finding.Finding {
	f := finding.Finding{Rule: finding.Removed, Severity: "warning"}
	if c.now == nil {
		return f
	}
	f.Path, f.Line = c.now.File.Path, 1
	if now := c.renamedTo(d); now != nil {
		f.Line = c.now.Lines.Line(now.nameSpan.Start) + 1
	} else if h := c.removing(d); h != nil {
		f.Line = min(max(h.Line, 1), c.now.Lines.Count())
	}
	return f
}

// likest is the declaration, of those that are gone or of those that are new, that says most of what one on the other side of the
// same hunk says; nil when none says enough.
func (c *change) likest(d *declaration, all []declaration) *declaration {
	var found *declaration
	best := sameBody
	for i := range all {
		was, is := d, &all[i]
		if d.ref.File == c.now.File {
			was, is = is, was
		}
		if is.kind != was.kind || is.place()[0] != was.place()[0] || !c.replaces(was, is) {
			continue
		}
		share := common(was.span.In(c.old.Text), was.name, is.span.In(c.now.Text), is.name)
		if share > best || share == best && found == nil {
			best, found = share, &all[i]
		}
	}
	return found
}

// replaces reports whether one hunk removes a name and adds another one.
func (c *change) replaces(d, a *declaration) bool {
	h, is := c.removing(d), c.now.Lines.Line(a.nameSpan.Start)
	return h != nil && h.Line-1 <= is && is < h.Line-1+len(h.Added)
}

// removing is the hunk that removes the name of a declaration.
func (c *change) removing(d *declaration) *git.Hunk {
	was, shift := c.old.Lines.Line(d.nameSpan.Start), 0
	for i := range c.diff.Hunks {
		h := &c.diff.Hunks[i]
		if first := h.Line - 1 - shift; first <= was && was < first+len(h.Removed) {
			return h
		}
		shift += len(h.Added) - len(h.Removed)
	}
	return nil
}

// common is the share of words that two texts have in common, their own names left out.
func common(a []byte, aName string, b []byte, bName string) float64 {
	count, n, both := map[string]int{}, 0, 0
	for _, word := range parameterWord.FindAllString(string(a), -1) {
		if word != aName {
			count[word]++
			n++
		}
	}
	for _, word := range parameterWord.FindAllString(string(b), -1) {
		if word == bName {
			continue
		}
		n++
		if count[word] > 0 {
			count[word]--
			both++
		}
	}
	if n == 0 {
		return 1
	}
	return 2 * float64(both) / float64(n)
}
