package display

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ellipsis stands for what was cut away; it takes one cell.
const ellipsis = "…"

// Cells returns how many terminal cells s takes: two for wide runes, none for combining and invisible ones. It sums
// rune by rune, as terminals do that know no grapheme clusters; a joined emoji is therefore measured by its parts.
func Cells(s string) int {
	n := 0
	for _, r := range s {
		n += runeCells(r)
	}
	return n
}

func runeCells(r rune) int {
	switch {
	case r < 0x20 || r == 0x7f:
		return 0
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case isWide(r):
		return 2
	}
	return 1
}

func isWide(r rune) bool {
	_, found := slices.BinarySearchFunc(wideRanges[:], r, func(span [2]rune, r rune) int {
		switch {
		case span[1] < r:
			return -1
		case span[0] > r:
			return 1
		}
		return 0
	})
	return found
}

// Cut shortens s to at most width cells and marks the cut at its end with "…".
func Cut(s string, width int) string {
	if Cells(s) <= width {
		return s
	}
	if width <= 0 {
		return ""
	}
	return s[:prefix(s, width-1)] + ellipsis
}

// CutLeft shortens s to at most width cells and marks the cut at its start with "…": the end of a path says more
// than its beginning.
func CutLeft(s string, width int) string {
	total := Cells(s)
	if total <= width {
		return s
	}
	if width <= 0 {
		return ""
	}
	drop := total - (width - 1)
	for i, r := range s {
		if drop <= 0 && runeCells(r) > 0 {
			return ellipsis + s[i:]
		}
		drop -= runeCells(r)
	}
	return ellipsis
}

// prefix returns the length in bytes of the longest start of s that takes at most width cells, with the combining
// runes that belong to it.
func prefix(s string, width int) int {
	used := 0
	for i, r := range s {
		used += runeCells(r)
		if used > width {
			return i
		}
	}
	return len(s)
}

// Pad appends spaces until s takes width cells.
func Pad(s string, width int) string {
	if gap := width - Cells(s); gap > 0 {
		return s + strings.Repeat(" ", gap)
	}
	return s
}

// Wrap breaks s at spaces into lines of at most width cells; a longer word is broken inside. There is always at
// least one line.
func Wrap(s string, width int) []string {
	width = max(width, 2) // a wide rune must fit
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && Cells(line)+1+Cells(word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for n := prefix(word, width); n < len(word); n = prefix(word, width) {
			lines = append(lines, word[:n])
			word = word[n:]
		}
		line = word
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// Clean makes text from files safe and single-lined: line breaks and tabs become spaces, other control characters,
// bidirectional overrides and invalid bytes become "�", so that no name can send escape sequences to the terminal.
func Clean(s string) string {
	if !needsCleaning(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case unsafeRune(r):
			return utf8.RuneError
		}
		return r
	}, s)
}

// CleanLines is Clean for text of several lines: line breaks and tabs stay.
func CleanLines(s string) string {
	if !needsCleaning(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unsafeRune(r) {
			return utf8.RuneError
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

func needsCleaning(s string) bool {
	return !utf8.ValidString(s) || strings.ContainsFunc(s, unsafeRune)
}

func unsafeRune(r rune) bool {
	return unicode.IsControl(r) || (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069)
}
