package syntax

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// IsProse reports whether a language is one of documents that people read, rather than of code or data.
func IsProse(language string) bool {
	switch language {
	case "markdown", "restructuredtext", "asciidoc":
		return true
	}
	return false
}

// readReStructuredText outlines a document by its headings: a line of text with a line of one repeated mark below it, and perhaps one
// above it. Marks have no fixed rank: the first one of a document is that of the highest.
func readReStructuredText(src []byte, _ embeddedParser) (*Outline, error) {
	return outlineHeadings(src, func(lines []textLine) []heading {
		var list []heading
		var marks []string // in the order of their rank
		for i := 0; i+1 < len(lines); i++ {
			first, title := i, lines[i]
			mark := adornment(lines[i+1].text, title.text)
			if mark == "" || title.text == "" || adornment(title.text, "") != "" {
				continue
			}
			follows := i == 0 || lines[i-1].text == "" || strings.HasPrefix(lines[i-1].text, ".. ") ||
				len(list) > 0 && list[len(list)-1].span.End == lines[i-1].End
			switch {
			case !follows && adornment(lines[i-1].text, title.text) == mark:
				first, mark = i-1, mark+mark
			case !follows || title.indent > 0:
				continue // the end of a paragraph or of a table
			}
			list = append(list, heading{Span{lines[first].Start, lines[i+1].End}, title.content(), rank(&marks, mark)})
		}
		return list
	})
}

// rank is the place of a mark among those that a document has had so far, from 1 on.
func rank(marks *[]string, mark string) int {
	for i, known := range *marks {
		if known == mark {
			return i + 1
		}
	}
	*marks = append(*marks, mark)
	return len(*marks)
}

// adornment is the mark that a line repeats, when it is long enough for a title: as long as that, or of four marks at least. Other lines
// have none.
func adornment(line, title string) string {
	if len(line) < 2 || strings.Trim(line, line[:1]) != "" || !strings.Contains("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", line[:1]) {
		return ""
	}
	if len(line) < 4 && len(line) < utf8.RuneCountInString(title) {
		return ""
	}
	return line[:1]
}

// readAsciiDoc outlines a document by its headings, as many equals signs (or hashes) before a title as its rank. What stands between two
// lines of a delimited block has none.
func readAsciiDoc(src []byte, _ embeddedParser) (*Outline, error) {
	return outlineHeadings(src, func(lines []textLine) []heading {
		var list []heading
		block := "" // the line that ends the block in which the line is
		for _, l := range lines {
			switch {
			case block != "":
				if l.text == block {
					block = ""
				}
				continue
			case l.indent > 0:
				continue
			case delimitsBlock(l.text):
				block = l.text
				continue
			}
			marks := len(l.text) - len(strings.TrimLeft(l.text, l.text[:min(1, len(l.text))]))
			if marks == 0 || marks > 6 || l.text[0] != '=' && l.text[0] != '#' || !strings.HasPrefix(l.text[marks:], " ") {
				continue
			}
			name := l.content()
			name.Start += marks + 1
			name.End -= len(l.text) - len(strings.TrimSuffix(l.text, " "+l.text[:marks]))
			list = append(list, heading{l.Span, name, marks})
		}
		return list
	})
}

// delimitsBlock reports whether a line of AsciiDoc begins or ends a block whose lines are no text of the document.
func delimitsBlock(line string) bool {
	switch line {
	case "|===", "```", "--":
		return true
	}
	return len(line) >= 4 && strings.Contains("-./+_*=", line[:1]) && strings.Trim(line, line[:1]) == ""
}

// A textLine is a line of a document. Its text has no white space around it.
type textLine struct {
	Span   // without the line break
	text   string
	indent int // bytes of white space
}

func (l textLine) content() Span {
	return Span{l.Start + l.indent, l.Start + l.indent + len(l.text)}
}

func outlineHeadings(src []byte, find func([]textLine) []heading) (*Outline, error) {
	if len(src) > maxSource {
		return nil, ErrTooLarge
	}
	var lines []textLine
	for start := 0; start < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[start:], '\n'); i >= 0 {
			end = start + i
		}
		line := bytes.TrimRight(src[start:end], " \t\r")
		text := bytes.TrimLeft(line, " \t")
		lines = append(lines, textLine{Span{start, start + len(line)}, string(text), len(line) - len(text)})
		start = end + 1
	}
	c := &collector{src: src, headings: find(lines)}
	return &Outline{Definitions: c.resolve(nest(c.sections()))}, nil
}
