package chunk

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// Sizes in bytes, at an estimated 4 bytes a token.
const (
	maxBytes   = 600 * 4 // of a chunk of code between definitions, or of plain text
	maxSection = 400 * 4 // of a chunk of a section

	// maxScrap is what is too small to be found for its own sake: a gap of at most so many bytes on one line goes to
	// the definition beside it.
	maxScrap = 24
)

// addRemainders makes chunks of what lies outside the roots.
func (b *builder) addRemainders(roots []root) {
	before := root{first: -1, last: -1}
	for _, next := range append(roots, root{Span{len(b.src), len(b.src)}, -1, -1}) {
		if gap := (Span{before.span.End, next.span.Start}); !gap.Empty() {
			b.addGap(gap, before.last, next.first)
		}
		before = next
	}
}

// addGap makes chunks of a gap between two chunks (-1: none), or joins it to one of them when it is a mere scrap, as
// "type (" before a grouped type and ")" after it.
func (b *builder) addGap(gap Span, before, next int) {
	rest := trim(b.src, gap)
	if rest.Empty() || b.isScrap(rest) && b.join(gap, rest, before, next) {
		return
	}
	if rest.Covers(b.doc) && !b.doc.Empty() {
		b.addStretch(trim(b.src, Span{rest.Start, b.doc.Start}))
		b.addStretches(b.doc, maxBytes, Chunk{Type: Code, Kind: KindDocstring, Doc: b.doc})
		rest.Start = b.doc.End
	}
	b.addStretch(trim(b.src, rest))
}

// addStretch makes chunks of statements or comments that belong to no definition.
func (b *builder) addStretch(s Span) {
	c := Chunk{Type: Code, Kind: KindBlock}
	if isComment(s.In(b.src)) {
		c.Kind = KindComment
	}
	b.addStretches(s, maxBytes, c)
}

func (b *builder) isScrap(s Span) bool {
	return s.End-s.Start <= maxScrap && bytes.IndexByte(s.In(b.src), '\n') < 0
}

// join extends the chunk after or before the gap over the scrap in it. Words go with what follows on the same or the
// next line, else with what ends there; closing brackets and the like belong to what comes before, however far.
func (b *builder) join(gap, scrap Span, before, next int) bool {
	words := hasWord(scrap.In(b.src))
	switch {
	case words && next >= 0 && bytes.Count(b.src[scrap.End:gap.End], newline) <= 1:
		b.file.Chunks[next].Span.Start = scrap.Start
	case before >= 0 && (!words || bytes.Count(b.src[gap.Start:scrap.Start], newline) <= 1):
		b.file.Chunks[before].Span.End = scrap.End
	default:
		return false
	}
	return true
}

// addStretches makes copies of c of a span: one, or several of at most max bytes each when the span is longer. Cuts fall
// between lines, where a blank line is near, and never into a block. Only the first stretch keeps what belongs to the
// start: name span, signature and doc.
func (b *builder) addStretches(s Span, limit int, c Chunk) {
	first := true
	for rest := trim(b.src, s); !rest.Empty(); rest = trim(b.src, rest) {
		c.Span = Span{rest.Start, b.cut(rest, limit)}
		rest.Start = c.Span.End
		c.Span = trim(b.src, c.Span)
		if !first {
			c.Overlap = b.overlap(b.file.Chunks[len(b.file.Chunks)-1].Span)
		}
		b.file.Chunks = append(b.file.Chunks, c)
		if first {
			c.NameSpan, c.Signature, c.Doc = Span{}, Span{}, Span{}
			first = false
		}
	}
}

// cut returns where the first stretch of s ends. It is at a line's end unless s ends before.
func (b *builder) cut(s Span, limit int) int {
	if s.End-s.Start <= limit {
		return s.End
	}
	first := b.lines.Line(s.Start)
	last := b.lines.Line(s.Start + limit) // not wholly inside the limit
	for line := last; line > first; line-- {
		// The latest blank line in the second half of the stretch, else the last line that fits.
		at := b.lines.Start(line)
		if at-s.Start < limit/2 {
			break
		}
		if b.blank(line) && !b.insideBlock(at) {
			return at
		}
	}
	for line := max(last, first+1); line < b.lines.Count(); line++ {
		if at := b.lines.Start(line); at < s.End && !b.insideBlock(at) {
			return b.beforeBlock(s, at, limit)
		}
	}
	return s.End
}

// beforeBlock moves a cut that had to give way to a block to the start of the block, if something stands before it.
func (b *builder) beforeBlock(s Span, at, limit int) int {
	if at-s.Start <= limit {
		return at
	}
	i, _ := slices.BinarySearchFunc(b.blocks, at, func(block syntax.Span, at int) int { return block.Start - at })
	if i > 0 {
		line := b.lines.Line(b.blocks[i-1].Start)
		start := b.lines.Start(line)
		if b.blocks[i-1].End <= at && start > s.Start && start-s.Start <= limit && !b.insideBlock(start) {
			return start
		}
	}
	return at
}

// insideBlock reports whether a cut at the offset would divide a block.
func (b *builder) insideBlock(offset int) bool {
	i, _ := slices.BinarySearchFunc(b.blocks, offset, func(block syntax.Span, at int) int { return block.Start - at })
	return i > 0 && offset < b.blocks[i-1].End
}

func (b *builder) blank(line int) bool {
	return len(bytes.TrimSpace(b.src[b.lines.Start(line):b.lines.End(line)])) == 0
}

var newline = []byte{'\n'}

// trim cuts white space off both ends of a span; an indented first line keeps its indentation.
func trim(src []byte, s Span) Span {
	for s.End > s.Start && isSpace(src[s.End-1]) {
		s.End--
	}
	first := s.Start
	for first < s.End && isSpace(src[first]) {
		if src[first] == '\n' {
			s.Start = first + 1
		}
		first++
	}
	if first == s.End {
		return Span{s.Start, s.Start}
	}
	return s
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'
}

// hasWord reports whether b holds a letter or a digit.
func hasWord(b []byte) bool {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
		b = b[size:]
	}
	return false
}
