package vfs

import (
	"bytes"
	"unicode/utf8"
)

const (
	sniffLength   = 8 << 10 // bytes that decide whether a file is text
	binaryPercent = 30      // more bytes than this that belong to no text make it binary

	minifiedSize    = 64 << 10 // bytes from which the average line counts
	minifiedAverage = 1_000    // bytes per line, more is minified
	minifiedLine    = 100_000  // bytes of a single line, more is minified
)

// looksBinary judges the start of a file: a NUL byte, or more than binaryPercent of control characters and bytes that are not
// UTF-8. Letters of any script count as text.
func looksBinary(start []byte) bool {
	whole := len(start) <= sniffLength
	start = start[:min(len(start), sniffLength)]
	if bytes.IndexByte(start, 0) >= 0 {
		return true
	}
	odd, length := 0, len(start)
	for len(start) > 0 {
		if c := start[0]; c >= ' ' && c < 0x7f { // nearly all of a text
			start = start[1:]
			continue
		}
		r, size := utf8.DecodeRune(start)
		if r == utf8.RuneError && size == 1 {
			if !whole && !utf8.FullRune(start) {
				break // the cut went through a character
			}
			odd++
		} else if isControl(r) {
			odd++
		}
		start = start[size:]
	}
	return odd*100 > length*binaryPercent
}

// isControl reports whether r occurs in no text: tabs, line ends, form feeds, backspace and escape do.
func isControl(r rune) bool {
	switch r {
	case '\t', '\n', '\r', '\f', '\v', '\b', 0x1b:
		return false
	}
	return r < 0x20 || r == 0x7f
}

// looksMinified reports whether no person wrote these lines: they are parsed like any text, but the index may take
// less from them.
func looksMinified(text []byte) bool {
	if len(text) > minifiedSize && len(text)/(bytes.Count(text, []byte{'\n'})+1) > minifiedAverage {
		return true
	}
	for len(text) > minifiedLine {
		end := bytes.IndexByte(text, '\n')
		if end > minifiedLine || end < 0 {
			return true
		}
		text = text[end+1:]
	}
	return false
}

var utf8BOM = []byte{0xef, 0xbb, 0xbf}
