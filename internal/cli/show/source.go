package show

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// tabCells is how wide a tab is shown.
const tabCells = 4

// A style is how a stretch of text is drawn: parameters of the terminal's sequence SGR. Of the sixteen colours only those
// are used that can be read on dark and on light grounds.
type style string

const (
	plain style = ""
	bold  style = "1"
	faint style = "2"
	found style = "1;31" // a word of the query, as grep shows it
)

// styleOf are the styles of what stands out in code.
var styleOf = map[syntax.TokenKind]style{
	syntax.Keyword: "35", syntax.Comment: faint, syntax.String: "32", syntax.Number: "36", syntax.TypeName: "36",
}

// paint draws s in a style, when colours are wanted.
func (p *Page) paint(as style, s string) string {
	if !p.Color || as == plain || s == "" {
		return s
	}
	return "\x1b[" + string(as) + "m" + s + "\x1b[0m"
}

// A source is the text of a hit, as it is shown: without tabs, common indentation and what a terminal would obey.
type source struct {
	lines  []string
	words  []int // how many different words of the query a line holds
	name   int   // the line of the name
	site   int   // the line that is asked for, -1 for none
	styles [][]style
}

// read prepares the text of a hit.
func (p *Page) read(h *api.Hit) *source {
	s := &source{name: h.Above, site: -1}
	if p.Site != nil && h.Range != nil {
		s.site = p.Site.Start.Line - h.FirstLine()
	}
	if h.NameRange != nil && h.Range != nil {
		s.name = h.NameRange.Start.Line - h.FirstLine()
	}
	code := strings.TrimRight(cmp.Or(h.Text, h.Snippet), " \t\r\n")
	if code == "" {
		return s
	}
	s.lines = strings.Split(withIndent(h, code), "\n")
	for i, line := range s.lines {
		s.lines[i] = strings.TrimRight(display.Clean(expandTabs(strings.TrimSuffix(line, "\r"))), " ")
	}
	dedent(s.lines)
	s.name = min(max(0, s.name), len(s.lines)-1)
	s.words, s.styles = make([]int, len(s.lines)), make([][]style, len(s.lines))
	p.highlight(s, h.Language)
	for i, line := range s.lines {
		s.words[i] = p.mark(line, s.styles[i])
	}
	return s
}

// withIndent gives the first line back what stands before it in the file.
func withIndent(h *api.Hit, code string) string {
	if h.Range == nil || h.Range.Start.Character == 0 || !strings.Contains(code, "\n") {
		return code
	}
	indent := " "
	if strings.Contains(code, "\n\t") {
		indent = "\t"
	}
	return strings.Repeat(indent, min(h.Range.Start.Character, 40)) + strings.TrimLeft(code, " \t")
}

// expandTabs puts blanks up to the next multiple of tabCells in place of tabs.
func expandTabs(line string) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	for part := range strings.SplitAfterSeq(line, "\t") {
		before, tab := strings.CutSuffix(part, "\t")
		b.WriteString(before)
		if tab {
			b.WriteString(strings.Repeat(" ", tabCells-display.Cells(before)%tabCells))
		}
	}
	return b.String()
}

// dedent takes the blanks off that all lines begin with.
func dedent(lines []string) {
	margin := -1
	for _, line := range lines {
		if own := len(line) - len(strings.TrimLeft(line, " ")); line != "" && (margin < 0 || own < margin) {
			margin = own
		}
	}
	for i, line := range lines {
		lines[i] = line[min(len(line), max(0, margin)):]
	}
}

// highlight gives every byte of the lines its style.
func (p *Page) highlight(s *source, language string) {
	all := []byte(strings.Join(s.lines, "\n"))
	styles := make([]style, len(all))
	if p.Color {
		for _, token := range syntax.Tokens(syntax.ByName(language), all) {
			for i := token.Start; i < token.End; i++ {
				styles[i] = styleOf[token.Kind]
			}
		}
	}
	start := 0
	for i, line := range s.lines {
		s.styles[i] = styles[start : start+len(line)]
		start += len(line) + 1
	}
}

// mark gives the words of the query in a line their style, and returns how many different ones there are.
func (p *Page) mark(line string, styles []style) int {
	held := map[string]bool{}
	for from := 0; from < len(line); {
		n := strings.IndexFunc(line[from:], func(r rune) bool { return !isWordRune(r) })
		switch {
		case n < 0:
			n = len(line) - from
		case n == 0:
			_, size := utf8.DecodeRuneInString(line[from:])
			from += size
			continue
		}
		p.markWord(line[from:from+n], styles[from:from+n], held)
		from += n
	}
	return len(held)
}

// markWord marks an identifier that is a word of the query, or those of its parts that are.
func (p *Page) markWord(word string, styles []style, held map[string]bool) {
	lower := strings.ToLower(word)
	if len(lower) != len(word) || len(word) > text.MaxToken {
		return
	}
	markAt := func(from int, token string) {
		held[token] = true
		for i := from; i < from+len(token); i++ {
			styles[i] = found
		}
	}
	if p.words[lower] {
		markAt(0, lower)
		return
	}
	at := 0
	for _, token := range text.Tokenize(word) {
		i := strings.Index(lower[at:], token)
		if i < 0 {
			continue
		}
		if p.words[token] {
			markAt(at+i, token)
		}
		at += i + len(token)
	}
}

func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

// line draws a line in at most room cells. Of a longer one the part around the first word of the query is shown.
func (p *Page) line(s *source, i, room int) string {
	line, styles := s.lines[i], s.styles[i]
	if display.Cells(line) <= room {
		return p.draw(line, styles)
	}
	if at := firstFound(styles); at >= 0 && display.Cells(line[:at]) > room*3/4 {
		cut := display.CutLeft(line[:at], max(1, room/4))
		from := at - len(strings.TrimPrefix(cut, "…"))
		line, styles = line[from:], styles[from:]
		return p.paint(faint, "…") + p.fit(line, styles, room-1)
	}
	return p.fit(line, styles, room)
}

// fit draws as much of a line as there is room for, and marks the cut.
func (p *Page) fit(line string, styles []style, room int) string {
	shown := display.Cut(line, room)
	if shown == line {
		return p.draw(line, styles)
	}
	shown = strings.TrimSuffix(shown, "…")
	return p.draw(shown, styles) + p.paint(faint, "…")
}

// blockStart matches the line above code in a context: of XML, or of Markdown.
var blockStart = lazyregexp.New("^(?:<snippet .*language=\"([a-z0-9]+)\".*>|(```+)([a-z0-9]+))$")

// Blocks draws the blocks of code in a context that was assembled for a model; the text stays as it is.
func (p *Page) Blocks(text string) string {
	if !p.Color {
		return text
	}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		start := blockStart.FindStringSubmatch(lines[i])
		if start == nil {
			continue
		}
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "[Source: ") {
			i++
		}
		end := i + 1
		for end < len(lines) && lines[end] != cmp.Or(start[2], "</snippet>") {
			end++
		}
		block := &source{lines: lines[i+1 : end], styles: make([][]style, end-i-1)}
		p.highlight(block, start[1]+start[3])
		for k, line := range block.lines {
			p.mark(line, block.styles[k])
			lines[i+1+k] = p.draw(line, block.styles[k])
		}
		i = end
	}
	return strings.Join(lines, "\n")
}

func firstFound(styles []style) int {
	for i, s := range styles {
		if s == found {
			return i
		}
	}
	return -1
}

// draw writes a text in its styles.
func (p *Page) draw(line string, styles []style) string {
	if !p.Color {
		return line
	}
	var b strings.Builder
	for from := 0; from < len(line); {
		to := from + 1
		for to < len(line) && styles[to] == styles[from] {
			to++
		}
		b.WriteString(p.paint(styles[from], line[from:to]))
		from = to
	}
	return b.String()
}
