package wording

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxLine is the most bytes of a line in a snippet or signature; the rest of it is cut, as minified code has
// lines of megabytes.
const MaxLine = 400

// CutText cuts s to at most n bytes at the end of a rune.
func CutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// Quoted lists words, at most six of them.
func Quoted(words []string) string {
	list := make([]string, 0, 6)
	for _, w := range words[:min(6, len(words))] {
		list = append(list, fmt.Sprintf("%q", CutBytes(w, 40)))
	}
	return strings.Join(list, ", ")
}

// OneLine joins the words of s by single spaces and cuts the result at maxLine bytes.
func OneLine(s string) string {
	if len(s) > 8*MaxLine {
		s = s[:8*MaxLine]
	}
	return CutBytes(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " "), MaxLine)
}

// CutBytes cuts s to at most n bytes at the end of a rune and marks the cut.
func CutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// HeadLines returns the first n lines of s, each at most maxLine bytes, without the last terminator.
func HeadLines(s string, n int) string {
	lines := make([]string, 0, n)
	for line := range strings.Lines(s) {
		if len(lines) == n {
			break
		}
		lines = append(lines, CutBytes(strings.TrimRight(line, "\r\n"), MaxLine))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n ")
}

// Count writes a number with its noun.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func Unique(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
