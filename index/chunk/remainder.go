package chunk

import (
	"bytes"
	"slices"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// The size that a remainder is cut to, in bytes: about 400 tokens of four bytes, and at most half as much again when
// there is no better place to cut.
const (
	targetBytes = 1600
	maxBytes    = 2400
)

// remainders makes chunks of what is not part of a definition.
func (b *builder) remainders(blocks []syntax.Span) {
	kind := b.kind
	if kind == "" {
		kind = KindBlock
	}
	for _, gap := range b.gaps() {
		for _, piece := range b.split(gap, blocks) {
			b.chunks = append(b.chunks, Chunk{Type: Code, Kind: kind, Span: piece})
		}
	}
	slices.SortStableFunc(b.chunks, func(a, c Chunk) int {
		if d := a.Span.Start - c.Span.Start; d != 0 {
			return d
		}
		return c.Span.End - a.Span.End
	})
}

// split cuts a span into pieces of about the target size, at blank lines where there are some, else at line ends; a
// block is not cut, and neither is a line.
func (b *builder) split(s Span, blocks []syntax.Span) []Span {
	var pieces []Span
	for s.End-s.Start > maxBytes {
		cut := b.cut(s, blocks)
		if cut >= s.End {
			break
		}
		if piece := trim(b.src, Span{s.Start, cut}); !piece.Empty() {
			pieces = append(pieces, piece)
		}
		s = trim(b.src, Span{cut, s.End})
	}
	if !s.Empty() {
		pieces = append(pieces, s)
	}
	return pieces
}

// cut returns where the first piece of s ends.
func (b *builder) cut(s Span, blocks []syntax.Span) int {
	window := b.src[s.Start:min(s.End, s.Start+maxBytes)]
	best := 0 // end of a line within the window
	for at := 0; ; {
		n := bytes.IndexByte(window[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		if inBlock(s.Start+at, blocks) {
			continue
		}
		if at > targetBytes && best > 0 {
			break
		}
		best = at
	}
	if blank := lastBlankLine(window[:best]); blank > targetBytes/2 && !inBlock(s.Start+blank, blocks) {
		best = blank
	}
	if best > 0 {
		return s.Start + best
	}
	return b.nextLine(s, blocks)
}

// nextLine returns the first end of a line that may be cut at, past the window.
func (b *builder) nextLine(s Span, blocks []syntax.Span) int {
	for at := s.Start; at < s.End; {
		n := bytes.IndexByte(b.src[at:s.End], '\n')
		if n < 0 {
			break
		}
		if at += n + 1; !inBlock(at, blocks) {
			return at
		}
	}
	return s.End
}

// lastBlankLine returns the offset after the last empty line of text, 0 when there is none.
func lastBlankLine(text []byte) int {
	after := 0
	for _, blank := range []string{"\n\n", "\n\r\n"} {
		if i := bytes.LastIndex(text, []byte(blank)); i >= 0 {
			after = max(after, i+len(blank))
		}
	}
	return after
}

func inBlock(offset int, blocks []syntax.Span) bool {
	i, _ := slices.BinarySearchFunc(blocks, offset, func(s syntax.Span, offset int) int {
		if s.End <= offset {
			return -1
		}
		return 1
	})
	return i < len(blocks) && blocks[i].Start < offset
}

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
