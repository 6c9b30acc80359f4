package wording

import (
	"iter"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// EscapeMarkdown writes text from a file so that Markdown shows it as it is: it can't open a link, a tag, a fence or a
// heading. What means nothing to CommonMark where it stands, such as most underscores of names, stays: plain readers, and
// editors that hide no marks, would see them.
func EscapeMarkdown(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i := 0; i < len(runes); i++ {
		if end := codeSpanEnd(runes, i); end > 0 {
			b.WriteString(InlineCode(strings.Trim(string(runes[i:end]), "`")))
			i = end - 1
			continue
		}
		if end := dunderEnd(runes, i); end > 0 {
			b.WriteString(InlineCode(string(runes[i:end])))
			i = end - 1
			continue
		}
		r := runes[i]
		if isMarkup(runes, i) {
			b.WriteByte('\\')
		}
		if unicode.IsControl(r) {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// codeSpanEnd is the index after the code span that begins at i, with one backquote or with two as in reStructuredText; 0 when
// none does. Nothing in a code span means anything to Markdown, so it may stay what it is.
func codeSpanEnd(runes []rune, i int) int {
	if runes[i] != '`' || i > 0 && runes[i-1] == '`' {
		return 0
	}
	ticks := ticksAt(runes, i)
	if ticks > 2 {
		return 0 // a fence
	}
	return closedAt(runes, i+ticks, ticks)
}

// closedAt is the index after the run of just so many backquotes that ends a code span whose code begins at i, 0 when none does.
func closedAt(runes []rune, i, ticks int) int {
	for at := i; at < len(runes) && runes[at] != '\n'; at++ {
		if n := ticksAt(runes, at); n == ticks {
			return at + n
		} else if n > 0 {
			at += n - 1
		}
	}
	return 0
}

// ticksAt counts the backquotes that begin at i.
func ticksAt(runes []rune, i int) int {
	n := 0
	for i+n < len(runes) && runes[i+n] == '`' {
		n++
	}
	return n
}

// dunderEnd is the index after the name like __init__ that begins at i, 0 when none does. Escaped underscores would be read as
// they are by those who don't read Markdown.
func dunderEnd(runes []rune, i int) int {
	if i > 0 && (isWord(runes[i-1]) || runes[i-1] == '_') || i+4 >= len(runes) || runes[i] != '_' || runes[i+1] != '_' {
		return 0
	}
	end := i
	for end < len(runes) && (isWord(runes[end]) || runes[end] == '_') {
		end++
	}
	if end < i+5 || runes[end-1] != '_' || runes[end-2] != '_' || !isWord(runes[i+2]) {
		return 0
	}
	return end
}

// isMarkup reports whether the rune at i would mean something to Markdown.
func isMarkup(runes []rune, i int) bool {
	switch runes[i] {
	case '\\', '`', '*', '[', ']', '<', '>', '&', '|', '~':
		return true
	case '_': // what can't end an emphasis needs no mark, since there is no emphasis without an end
		to := endOfRun(runes, i)
		return to == len(runes) || !isWord(runes[to])
	case '#':
		to := endOfRun(runes, i)
		return i == 0 && (to == len(runes) || unicode.IsSpace(runes[to]))
	case '+', '-', '=', '!':
		return i == 0
	case '.', ')': // of a numbered list
		return i > 0 && i < 10 && strings.Trim(string(runes[:i]), "0123456789") == ""
	}
	return false
}

// endOfRun is the index after the run of one character that i is in.
func endOfRun(runes []rune, i int) int {
	to := i
	for to < len(runes) && runes[to] == runes[i] {
		to++
	}
	return to
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

var (
	markdownFence = lazyregexp.New("^`{3,}")
	markdownLink  = lazyregexp.New(`^\[((?:[^\]\\]|\\.)*)\]\([^)\s]*\)`)
)

// Plain writes Markdown of this package for those who show text as it is: without fences, addresses, marks and escapes. Code
// stays what it is.
func Plain(markdown string) string {
	var b strings.Builder
	for line, part := range partsOf(markdown) {
		switch part {
		case codeLine:
			b.WriteString(line)
		case proseLine:
			b.WriteString(plainLine(line))
		}
	}
	return b.String()
}

// WithoutFileLinks leaves the labels of Markdown's links to files, for those who break lines as if they showed the addresses. Links to
// the web stay.
func WithoutFileLinks(markdown string) string {
	var b strings.Builder
	for line, part := range partsOf(markdown) {
		if part == proseLine {
			line = withoutFileLinks(line)
		}
		b.WriteString(line)
	}
	return b.String()
}

func withoutFileLinks(line string) string {
	var b strings.Builder
	runes := []rune(line)
	for i := 0; i < len(runes); i++ {
		end := i + 1
		switch runes[i] {
		case '\\':
			end = min(i+2, len(runes))
		case '`':
			ticks := ticksAt(runes, i)
			end = max(i+ticks, closedAt(runes, i+ticks, ticks))
		case '[':
			if link := markdownLink.FindStringSubmatch(string(runes[i:])); link != nil && strings.HasPrefix(link[0][len(link[1])+2:], "(file:") {
				b.WriteString(link[1])
				i += utf8.RuneCountInString(link[0]) - 1
				continue
			}
		}
		b.WriteString(string(runes[i:end]))
		i = end - 1
	}
	return b.String()
}

type linePart int

const (
	proseLine linePart = iota
	codeLine
	fenceLine
)

// partsOf are the lines of Markdown of this package, each with what it is a part of.
func partsOf(markdown string) iter.Seq2[string, linePart] {
	return func(yield func(string, linePart) bool) {
		fence := ""
		for line := range strings.Lines(markdown) {
			mark, part := markdownFence.FindString(line), proseLine
			switch {
			case fence == "" && mark != "":
				fence, part = mark, fenceLine
			case fence != "" && strings.TrimRight(line, "\n") == fence:
				fence, part = "", fenceLine
			case fence != "":
				part = codeLine
			}
			if !yield(line, part) {
				return
			}
		}
	}
}

func plainLine(line string) string {
	var b strings.Builder
	runes := []rune(line)
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; {
		case r == '\\' && i+1 < len(runes) && strings.ContainsRune("\\`*[]<>&|~_#+=!.)-", runes[i+1]):
			i++
			b.WriteRune(runes[i])
		case r == '`':
			ticks := ticksAt(runes, i)
			code, after := "", closedAt(runes, i+ticks, ticks)
			if after > 0 {
				code = string(runes[i+ticks : after-ticks])
			} else {
				after = i + ticks
			}
			if inner := strings.TrimSpace(code); strings.HasPrefix(inner, "`") || strings.HasSuffix(inner, "`") {
				code = inner // the blanks kept its backquotes from the marks
			}
			b.WriteString(code)
			i = after - 1
		case r == '[':
			link := markdownLink.FindStringSubmatch(string(runes[i:]))
			if link == nil {
				b.WriteRune(r)
				continue
			}
			b.WriteString(plainLine(link[1]))
			i += utf8.RuneCountInString(link[0]) - 1
		case r == '*' && i+1 < len(runes) && runes[i+1] == '*':
			i++
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Fenced returns text in a code block whose fence is longer than any fence inside.
func Fenced(language, text string) string {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	return fence + language + "\n" + text + "\n" + fence
}

// InlineCode returns text as a code span on one line.
func InlineCode(text string) string {
	text = OneLine(text)
	ticks := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// longestRun is the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// Link returns a Markdown link to a one-based line of a file.
func Link(label, abs string, line int) string {
	return "[" + EscapeMarkdown(label) + "](" + fileURI(abs, line) + ")"
}

// fileURI is the file:// address of a one-based line; line 0 means the file.
func fileURI(abs string, line int) string {
	path := filepath.ToSlash(abs)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	uri := (&url.URL{Scheme: "file", Path: path}).String()
	uri = strings.NewReplacer("(", "%28", ")", "%29").Replace(uri)
	if line > 0 {
		uri += "#L" + strconv.Itoa(line)
	}
	return uri
}
