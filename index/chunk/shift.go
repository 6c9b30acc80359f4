package chunk

import (
	"bytes"
)

// Shift returns the chunks of a text as they most likely are in the next one, without parsing: what lies before the
// first difference stays where it is, what lies behind the last one moves along, a chunk around the difference grows or
// shrinks. A chunk that begins or ends inside of it is left out. It serves for the moment until the text is parsed.
func Shift(f *File, old, now []byte) *File {
	m := newShift(old, now)
	next := *f
	next.Lines += m.lines
	next.Chunks = make([]Chunk, 0, len(f.Chunks))
	place := make(map[int]int, len(f.Chunks)) // of the chunks that are left
	for i := range f.Chunks {
		if c, ok := m.chunk(f.Chunks[i]); ok {
			place[i] = len(next.Chunks)
			next.Chunks = append(next.Chunks, c)
		}
	}
	next.Inherits = nil
	for _, h := range f.Inherits {
		if i, ok := place[h.Chunk]; ok {
			h.Chunk = i
			next.Inherits = append(next.Inherits, h)
		}
	}
	next.Symbols = f.Symbols.moved(m, place)
	return &next
}

// A shift is the difference between two texts: the bytes [from, to) of the old one were replaced.
type shift struct {
	from, to int
	bytes    int // how much longer the new text is
	lines    int // how many more lines it has
}

func newShift(old, now []byte) shift {
	short := min(len(old), len(now))
	from := 0
	for from < short && old[from] == now[from] {
		from++
	}
	same := 0 // bytes at the end
	for same < short-from && old[len(old)-1-same] == now[len(now)-1-same] {
		same++
	}
	m := shift{from: from, to: len(old) - same, bytes: len(now) - len(old)}
	m.alignToLine(old, now)
	// One byte more on either side: it may be the other half of a "\r\n".
	first, rest := max(0, m.from-1), min(1, same)
	m.lines = lineBreaks(now[first:m.to+m.bytes+rest]) - lineBreaks(old[first:m.to+rest])
	return m
}

// alignToLine slides the difference to the start of a line where the texts allow that: of "func a" typed before "func
// b", it is the line that is new, not what stands between the two "func ".
func (m *shift) alignToLine(old, now []byte) {
	for back := 0; m.from >= back; back++ {
		at, end := m.from-back, m.to-back
		if at == 0 || old[at-1] == '\n' {
			m.from, m.to = at, end
			return
		}
		if old[end-1] != now[end+m.bytes-1] {
			return
		}
	}
}

// lineBreaks counts the line breaks as package text does.
func lineBreaks(b []byte) int {
	return bytes.Count(b, []byte{'\n'}) + bytes.Count(b, []byte{'\r'}) - bytes.Count(b, []byte("\r\n"))
}

func (m shift) chunk(c Chunk) (Chunk, bool) {
	span, ok := m.span(c.Span)
	if !ok {
		return c, false
	}
	if c.Span.Start >= m.to {
		c.StartLine += m.lines
	}
	if c.Span.End > m.from {
		c.EndLine += m.lines
	}
	c.Span = span
	for _, part := range []*Span{&c.NameSpan, &c.Signature, &c.Doc} {
		if *part, ok = m.span(*part); !ok {
			*part = Span{}
		}
	}
	return c, true
}

// span moves a span; ok is false when one of its ends lies inside the difference.
func (m shift) span(s Span) (Span, bool) {
	if s == (Span{}) {
		return s, true
	}
	start, ok := m.start(s.Start)
	if !ok {
		return s, false
	}
	end, ok := m.end(s.End)
	return Span{Start: start, End: end}, ok && start < end
}

// start moves the start of a span. One at an insertion moves behind it.
func (m shift) start(at int) (int, bool) {
	switch {
	case at >= m.to:
		return at + m.bytes, true
	case at <= m.from:
		return at, true
	}
	return 0, false
}

// end moves the end of a span. One at an insertion stays before it.
func (m shift) end(at int) (int, bool) {
	switch {
	case at <= m.from:
		return at, true
	case at >= m.to:
		return at + m.bytes, true
	}
	return 0, false
}
