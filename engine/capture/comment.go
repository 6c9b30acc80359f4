package capture

import (
	"strings"

	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/internal/scrub"
)

// marked is a comment that says of itself what it is.
var (
	marked      = lazyregexp.New(`(?://+|#+|--+|;+|/\*+|^\s*\*|%+|"""|<!--)\s*(DECISION|NOTE|HACK|WORKAROUND)(?:\([^)]*\))?:\s*(\S.*)$`)
	commentLine = lazyregexp.New(`^\s*(?://+|#+|--+|;+|\*+|%+)\s+(\S.*)$`)
	commentEnd  = lazyregexp.New(`\s*(?:\*/|-->|""")\s*$`)
)

// A comment is one that a commit added.
type comment struct {
	path, line string // line is its first, as it stands in the file
	text       string
}

// markedComment is the first comment among the added lines that states a decision, or notes something with its reason. Tests and
// documents have none.
func markedComment(files []git.FileDiff) (comment, bool) {
	for _, f := range files {
		if !isCodeFile(f) {
			continue
		}
		for _, h := range f.Hunks {
			for i, line := range h.Added {
				if text, ok := markedText(h.Added[i:]); ok {
					return comment{path: f.Path, line: line, text: text}, true
				}
			}
		}
	}
	return comment{}, false
}

// markedText is the text of the comment that begins on the first of some lines.
func markedText(lines []string) (string, bool) {
	mark, text := readMarked(marked, lines, maxText)
	if mark == "" || mark != "DECISION" && !reasonCue.MatchString(text) || aside.MatchString(text) {
		return "", false
	}
	return wording.CutBytes(text, maxText), len(strings.Fields(text)) >= minWords/2
}

// readMarked reads the comment that begins on the first of some lines with a mark, as begins has it: its mark, "" for none, and its
// text without secrets, of which no line is read after so many bytes.
func readMarked(begins *lazyregexp.Regexp, lines []string, most int) (mark, text string) {
	m := begins.FindStringSubmatch(strings.TrimRight(lines[0], "\r"))
	if m == nil {
		return "", ""
	}
	text = m[2]
	for _, line := range lines[1:] {
		next := commentLine.FindStringSubmatch(strings.TrimRight(line, "\r"))
		if next == nil || begins.MatchString(line) || commentEnd.MatchString(text) || len(text) > most {
			break
		}
		text += " " + next[1]
	}
	text, _ = scrub.Text(plain(commentEnd.ReplaceAllString(text, "")))
	return m[1], text
}

// isCodeFile reports whether a commit left code in a file that is no test, no document and not generated.
func isCodeFile(f git.FileDiff) bool {
	return !f.Binary && f.Kind != git.Deleted && codebase.IsCodePath(f.Path)
}
