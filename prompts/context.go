package prompts

import (
	"fmt"
	"strconv"
	"strings"
)

// The templates for a Context.
const (
	ContextXML      = "context.xml"
	ContextMarkdown = "context.md"
)

// A Context is what a model should know of a project before it answers. Parts that are empty are left out.
type Context struct {
	Goal     string
	Snippets []Snippet // in the order in which they are rendered
	Excerpts []Excerpt // grouped by file
	Memory   []string  // records, as text
}

// An Excerpt is single lines of a file.
type Excerpt struct {
	Path  string
	Lines []Line
}

// A Line is one line of a file.
type Line struct {
	Number int    // one-based
	Text   string // without a line break
	Why    string // it is there, "" when that goes without saying
}

// numbered is the lines of an excerpt as "12: text", one a line.
func numbered(e Excerpt) string {
	var b strings.Builder
	for _, l := range e.Lines {
		if l.Why != "" {
			fmt.Fprintf(&b, "[%s]\n", oneLine(l.Why))
		}
		fmt.Fprintf(&b, "%d: %s\n", l.Number, lineText(l.Text))
	}
	return b.String()
}

// A Snippet is a piece of a file.
type Snippet struct {
	Path     string  // relative to the workspace folder
	Line     int     // one-based; 0 when unknown
	Label    string  // the symbol or heading
	Kind     string  // CODE_FUNCTION, MARKDOWN_SECTION, ...
	Language string  // go, python, ...; "" when unknown
	Score    float64 // 0..1
	Text     string
}

// header is a snippet's first line, by which answers cite it.
func header(s Snippet) string {
	place := oneLine(s.Path)
	if s.Line > 0 {
		place += ":" + strconv.Itoa(s.Line)
	}
	return fmt.Sprintf("[Source: %s | Score: %s]", place, score(s.Score))
}

// lineText is oneLine, with the tabs that indent code.
func lineText(s string) string {
	cells := strings.Split(s, "\t")
	for i := range cells {
		cells[i] = oneLine(cells[i])
	}
	return strings.Join(cells, "\t")
}

func score(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }

// oneLine keeps names on one line: line breaks and other control characters become blanks.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' || r == '\u0085' {
			return ' '
		}
		return r
	}, s)
}

// endLine makes s end in exactly one line break.
func endLine(s string) string { return strings.TrimRight(s, "\r\n") + "\n" }
