package text

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// An Encoding is the unit in which an editor counts columns. The zero value is what LSP assumes when nothing was
// negotiated.
type Encoding uint8

// The encodings.
const (
	UTF16 Encoding = iota
	UTF8
)

// Lines is the line index of one text by LSP's rule: "\n", "\r\n" and a lone "\r" each end a line, so a text has
// one line more than it has terminators and never none. It keeps the text it was made from, which must not change
// afterwards, and it may be read by many goroutines at once.
//
// Offsets are bytes. A byte that is not part of valid UTF-8 counts as one column in every encoding.
type Lines struct {
	text   []byte
	starts []int // of each line; starts[0] is 0
}

// NewLines indexes the lines of text.
func NewLines(text []byte) *Lines {
	l := &Lines{text: text, starts: make([]int, 1, bytes.Count(text, newline)+1)}
	hasCR := bytes.IndexByte(text, '\r') >= 0
	for from := 0; ; {
		n := bytes.IndexByte(text[from:], '\n')
		if n < 0 {
			if hasCR {
				l.addLoneCR(from, len(text))
			}
			return l
		}
		if hasCR {
			l.addLoneCR(from, from+n)
		}
		from += n + 1
		l.starts = append(l.starts, from)
	}
}

var newline = []byte{'\n'}

// addLoneCR starts a line after every "\r" in [from, to) that no "\n" follows.
func (l *Lines) addLoneCR(from, to int) {
	for {
		i := bytes.IndexByte(l.text[from:to], '\r')
		if i < 0 {
			return
		}
		from += i + 1
		if from == len(l.text) || l.text[from] != '\n' {
			l.starts = append(l.starts, from)
		}
	}
}

// Count returns the number of lines, at least 1.
func (l *Lines) Count() int { return len(l.starts) }

// Line returns the zero-based line that holds the offset. An offset outside the text belongs to the first or the
// last line.
func (l *Lines) Line(offset int) int {
	return max(0, sort.SearchInts(l.starts, offset+1)-1)
}

// Start returns the offset of the first byte of a line; lines outside the text are clamped to it, so the start of
// the line after the last one is the end of the text.
func (l *Lines) Start(line int) int {
	switch {
	case line < 0:
		return 0
	case line >= len(l.starts):
		return len(l.text)
	}
	return l.starts[line]
}

// End returns the offset just past the last byte of a line, its terminator left out.
func (l *Lines) End(line int) int {
	start, end := l.Start(line), l.Start(line+1)
	if end > start && l.text[end-1] == '\n' {
		end--
	}
	if end > start && l.text[end-1] == '\r' {
		end--
	}
	return end
}

// Position returns the place of an offset. An offset inside a rune means the rune's start, one inside a line
// terminator the end of its line, one outside the text the nearest end of the text.
func (l *Lines) Position(offset int) Position {
	offset = max(0, min(offset, len(l.text)))
	line := l.Line(offset)
	start := l.starts[line]
	offset = l.runeStart(start, min(offset, l.End(line)))
	return Position{Line: line, Byte: offset - start, UTF16: utf16Len(l.text[start:offset])}
}

// Offset returns the byte offset of a line and a column, both zero-based, the column in units of enc. A column past
// the end of the line means its end, as LSP demands, and a column inside a rune the rune's start. ok is false when
// the text has no such line or a number is negative.
func (l *Lines) Offset(line, col int, enc Encoding) (offset int, ok bool) {
	if line < 0 || line >= len(l.starts) || col < 0 {
		return 0, false
	}
	start, end := l.starts[line], l.End(line)
	if enc == UTF8 {
		return l.runeStart(start, start+min(col, end-start)), true
	}
	return start + utf16Prefix(l.text[start:end], col), true
}

// runeStart moves an offset that lies inside a valid rune back to the rune's start. The rune can't begin before
// low. Only the nearest byte that may start a rune has to be looked at: every such byte is a rune boundary.
func (l *Lines) runeStart(low, offset int) int {
	for i := offset - 1; i >= low && i > offset-utf8.UTFMax; i-- {
		if !utf8.RuneStart(l.text[i]) {
			continue
		}
		if _, size := utf8.DecodeRune(l.text[i:]); i+size > offset {
			return i
		}
		break
	}
	return offset
}

// utf16Len is the number of UTF-16 code units that b takes.
func utf16Len(b []byte) int {
	units := 0
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			units++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		i += size
		units += utf16Units(r)
	}
	return units
}

// utf16Prefix is the length in bytes of the longest prefix of b, in whole runes, that takes at most the given
// number of UTF-16 code units.
func utf16Prefix(b []byte, units int) int {
	i := 0
	for i < len(b) && units > 0 {
		if b[i] < utf8.RuneSelf {
			i++
			units--
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if units -= utf16Units(r); units < 0 {
			break // inside a surrogate pair
		}
		i += size
	}
	return i
}

func utf16Units(r rune) int {
	if r >= 0x10000 {
		return 2
	}
	return 1
}
