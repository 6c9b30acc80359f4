package corpus

import (
	"bytes"
	"regexp"
	"strings"
)

const (
	commentLines    = 8 // lines of code that a comment is about, at most
	minCommentWords = 4
	proseLines      = 3 // of prose before fenced code
)

// An excerpt is some prose and what it is about.
type excerpt struct{ prose, about []byte }

// commentMark begins a line that holds nothing but a comment.
var commentMark = regexp.MustCompile(`^\s*(?://+|#+|--+|/\*+|\*)\s*`)

// comments returns the comments inside a function, each with the lines below it up to an empty one.
func comments(code []byte) []excerpt {
	lines := bytes.Split(code, []byte("\n"))
	var found []excerpt
	for i := 1; i < len(lines); i++ {
		var prose []string
		for ; i < len(lines); i++ {
			mark := commentMark.FindIndex(lines[i])
			if mark == nil {
				break
			}
			prose = append(prose, strings.TrimRight(string(lines[i][mark[1]:]), "*/ \t\r"))
		}
		if len(prose) == 0 {
			continue
		}
		from := i
		for i < len(lines) && i-from < commentLines && len(bytes.TrimSpace(lines[i])) > 0 && !commentMark.Match(lines[i]) {
			i++
		}
		text := strings.Join(prose, " ")
		if i > from && len(strings.Fields(text)) >= minCommentWords && len(text) <= maxDoc && !noStatement.MatchString(text) {
			found = append(found, excerpt{[]byte(text), bytes.Join(lines[from:i], []byte("\n"))})
		}
		i-- // the loop's step; the line may begin the next comment
	}
	return found
}

// sections returns what a page of Markdown says about its code: the heading and the last lines of prose before fenced
// code, with the code; and the heading with the prose of its section.
func sections(page []byte) []excerpt {
	var found []excerpt
	var heading string
	var prose, code []string
	fenced := false
	endSection := func() {
		if heading != "" && len(prose) > 0 {
			found = append(found, excerpt{[]byte(heading), []byte(strings.Join(prose, "\n"))})
		}
		prose = nil
	}
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			if fenced && len(code) > 0 {
				last := prose[max(0, len(prose)-proseLines):]
				found = append(found, excerpt{[]byte(heading + " " + strings.Join(last, " ")), []byte(strings.Join(code, "\n"))})
			}
			fenced, code = !fenced, nil
		case fenced:
			code = append(code, line)
		case strings.HasPrefix(line, "#"):
			endSection()
			heading = strings.TrimSpace(strings.Trim(line, "#"))
		case line != "":
			prose = append(prose, line)
		}
	}
	endSection()
	return found
}
