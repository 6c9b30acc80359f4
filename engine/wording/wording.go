package wording

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
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

// formalTrailer matches the lines of commit messages that are for lawyers and tools.
var formalTrailer = lazyregexp.New(`^\s*(?:Signed-off-by|Change-Id|git-svn-id|Reviewed-on):\s`)

// CommitBody are the lines of the message of a commit behind its subject that say something to people.
func CommitBody(body string) []string {
	var lines []string
	for line := range strings.Lines(body) {
		if line = strings.TrimRight(line, " \t\r\n"); !formalTrailer.MatchString(line) {
			lines = append(lines, line)
		}
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// MergedWith is what the subject of a merge says that was merged.
func MergedWith(subject string) string {
	return strings.TrimPrefix(HeadLines(subject, 1), "Merge ")
}
