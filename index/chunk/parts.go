package chunk

import (
	"bytes"
	"slices"
)

const (
	// bytesPerToken is the estimate of all sizes here.
	bytesPerToken = 4

	// maxOverlap is the share of a stretch, in percent, that the next one repeats at most. Whole lines are
	// repeated, so it is less where they are long.
	maxOverlap = 15
)

// tokens estimates how many tokens a span has.
func tokens(s Span) int { return (s.End - s.Start + bytesPerToken - 1) / bytesPerToken }

// split gives a function above the limit its parts. Each one ends before a statement.
func (b *builder) split(c *Chunk) {
	if c.Span.End-c.Span.Start <= maxBytes {
		return
	}
	var before Span
	for rest := c.Span; !rest.Empty(); rest = trim(b.src, rest) {
		s := Span{rest.Start, b.statement(rest)}
		rest.Start = s.End
		s = trim(b.src, s)
		c.Parts = append(c.Parts, Part{
			Span: s, Overlap: b.overlap(before), Tokens: tokens(s),
			StartLine: b.lines.Line(s.Start), EndLine: b.lines.Line(s.End - 1),
		})
		before = s
	}
}

// statement returns where the first part of s ends: before the line, in the second half of what fits, that is indented
// least, and of several such lines the last. A line that closes a bracket begins no statement.
func (b *builder) statement(s Span) int {
	if s.End-s.Start <= maxBytes {
		return s.End
	}
	best, least := 0, 0
	for line := b.lines.Line(s.Start + maxBytes); b.lines.Start(line)-s.Start >= maxBytes/2; line-- {
		indent, begins := b.indent(line)
		if begins && (best == 0 || indent < least) {
			best, least = b.lines.Start(line), indent
		}
	}
	if best == 0 {
		return b.cut(s, maxBytes)
	}
	return best
}

// indent returns the width of a line's indentation, a tab counted as four columns, and whether a statement may begin
// on the line.
func (b *builder) indent(line int) (width int, begins bool) {
	text := b.src[b.lines.Start(line):b.lines.End(line)]
	rest := bytes.TrimLeft(text, " \t")
	for _, c := range text[:len(text)-len(rest)] {
		if c == '\t' {
			width += 3
		}
		width++
	}
	return width, len(bytes.TrimSpace(rest)) > 0 && bytes.IndexByte([]byte(")]}"), rest[0]) < 0
}

// overlap returns the last whole lines of a stretch that make up at most the overlap allowed, or nothing.
func (b *builder) overlap(stretch Span) Span {
	limit := (stretch.End - stretch.Start) * maxOverlap / 100
	start := stretch.End
	for line := b.lines.Line(max(stretch.Start, stretch.End-1)); line > 0; line-- {
		at := b.lines.Start(line)
		if at <= stretch.Start || stretch.End-at > limit {
			break
		}
		start = at
	}
	if start == stretch.End {
		return Span{}
	}
	return Span{start, stretch.End}
}

// commentMarks open a line of a comment in one language or another.
var commentMarks = [][]byte{
	[]byte("//"), []byte("# "), []byte("#!"), []byte("--"), []byte("/*"), []byte("*"), []byte(";"), []byte("<!--"), []byte("(*"),
}

// isComment reports whether every line of a text that is not blank looks like one of a comment.
func isComment(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		opens := func(mark []byte) bool { return bytes.HasPrefix(line, mark) }
		if len(line) > 0 && string(line) != "#" && !slices.ContainsFunc(commentMarks, opens) {
			return false
		}
	}
	return true
}
