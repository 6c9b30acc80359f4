package syntax

import (
	"bytes"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// typeMacro is a word in capitals between the keyword and the name of a type: a macro that exports the type, or gives it attributes.
var typeMacro = lazyregexp.New(`\b(?:class|struct|union)\s+([A-Z][A-Z0-9_]+)\s+[A-Za-z_]\w*(?:\s+final)?\s*(?:\{|:\s*[A-Za-z_])`)

// leadMacro is a word in capitals and underscores before what begins a declaration on the same line: EXPORT_API template <typename T> ….
var leadMacro = lazyregexp.New(`(?m)^[ \t]*([A-Z][A-Z0-9]*_[A-Z0-9_]*)[ \t]+(?:template|class|struct|enum|union|typedef|namespace|using|extern)\b`)

// loneMacro is such a word that is all of its line, as BEGIN_DECLS and Q_OBJECT.
var loneMacro = lazyregexp.New(`(?m)^[ \t]*([A-Z][A-Z0-9]*_[A-Z0-9_]*)[ \t]*\r?$`)

// withoutMacros blanks what the preprocessor of C reads and the grammar can't: macros before types and declarations, and conditionals.
func withoutMacros(src []byte) []byte {
	var blank []Span
	for _, rule := range []*lazyregexp.Regexp{typeMacro, leadMacro, loneMacro} {
		for _, at := range rule.FindAllSubmatchIndex(src, -1) {
			if s := (Span{at[2], at[3]}); rule != loneMacro || betweenDeclarations(src, s) {
				blank = append(blank, s)
			}
		}
	}
	if len(blank) > 0 {
		src = bytes.Clone(src)
		for _, s := range blank {
			for i := s.Start; i < s.End; i++ {
				src[i] = ' '
			}
		}
	}
	return withoutConditionals(src)
}

// betweenDeclarations reports whether a word that is all of its line follows the end of something, or a line that is no code, and
// stands before what begins with a word: it is not the last of a list, a value, or the type of a function below it.
func betweenDeclarations(src []byte, word Span) bool {
	before := bytes.TrimRight(src[:word.Start], " \t\r\n")
	line := bytes.TrimSpace(before[bytes.LastIndexByte(before, '\n')+1:])
	ended := len(line) == 0 || bytes.IndexByte([]byte(";{}/"), line[len(line)-1]) >= 0 || line[0] == '#' || bytes.HasPrefix(line, []byte("//")) || loneMacro.Match(line)
	rest := bytes.TrimLeft(src[word.End:], " \t\r\n")
	next, _, _ := bytes.Cut(rest, []byte("\n"))
	return ended && len(next) > 0 && (isWordByte(next[0]) && !shortHeader.Match(next) || next[0] == '/' || next[0] == '#' && len(line) > 0 && line[0] == '#')
}

// shortHeader is a line that begins with the name of a function: the word above it is its type.
var shortHeader = lazyregexp.New(`^\w+[ \t]*\(`)

// withoutConditionals blanks the conditional directives of the C preprocessor that divide what the grammar can't: branches that open or
// close a brace, and branches inside parentheses. Of their branches the first one is left, or the second one of #if 0. What stands
// behind such a place is otherwise taken for a part of the function before it. Groups that are long are left as they are: they hold whole
// definitions, and a bracket in them that was counted wrong would cost all of these.
func withoutConditionals(src []byte) []byte {
	c := conditionals{src: src}
	for at := 0; at < len(src); {
		end := at + bytes.IndexByte(src[at:], '\n') + 1
		if end == at {
			end = len(src)
		}
		c.line(at, end)
		at = end
	}
	return c.result()
}

// maxDivided is the length of the longest group that is blanked, in bytes.
const maxDivided = 2000

// conditionals goes over the lines of a text.
type conditionals struct {
	src       []byte
	out       []byte // a copy, once something is blank
	comment   bool   // the present line begins inside a comment
	continued bool   // the present line continues a directive
	groups    []conditionalGroup
	braces    int // opened and not closed, in the branches that count
	parens    int
}

// A conditionalGroup is #if to #endif.
type conditionalGroup struct {
	directives []Span // its lines
	branches   []Span // what is between them
	begin      int    // braces before it
	parens     int    // the same for parentheses
	after      int    // braces behind the branch that is left
	kept       int    // that branch
	divides    bool
}

func (c *conditionals) line(start, end int) {
	line := c.src[start:end]
	text := bytes.TrimLeft(line, " \t")
	switch {
	case c.continued:
		c.continued = continues(line)
	case !c.comment && bytes.HasPrefix(text, []byte("#")):
		c.continued = continues(line)
		c.directive(Span{start, end}, string(bytes.TrimLeft(text[1:], " \t")))
	default:
		c.count(line)
	}
}

func continues(line []byte) bool { return bytes.HasSuffix(bytes.TrimRight(line, "\r\n"), []byte(`\`)) }

func (c *conditionals) directive(line Span, text string) {
	word := leadingWord(text)
	last := len(c.groups) - 1
	switch {
	case word == "if" || word == "ifdef" || word == "ifndef":
		g := conditionalGroup{directives: []Span{line}, begin: c.braces, parens: c.parens, divides: c.parens > 0}
		if word == "if" && bytes.HasPrefix(bytes.TrimLeft([]byte(text[len(word):]), " \t"), []byte("0")) {
			g.kept = 1
		}
		g.branches = append(g.branches, Span{line.End, line.End})
		c.groups = append(c.groups, g)
	case last < 0:
	case word == "else" || word == "elif" || word == "elifdef" || word == "elifndef":
		g := &c.groups[last]
		c.endBranch(g, line.Start)
		c.braces, c.parens = g.begin, g.parens
		g.directives = append(g.directives, line)
		g.branches = append(g.branches, Span{line.End, line.End})
	case word == "endif":
		g := c.groups[last]
		c.groups = c.groups[:last]
		c.endBranch(&g, line.Start)
		g.directives = append(g.directives, line)
		c.braces, c.parens = g.after, g.parens
		if g.kept >= len(g.branches) {
			c.braces = g.begin
		}
		if g.divides && line.Start-g.directives[0].End <= maxDivided {
			c.blankGroup(g)
		}
	}
}

// leadingWord is what a directive begins with.
func leadingWord(text string) string {
	n := 0
	for n < len(text) && text[n] >= 'a' && text[n] <= 'z' {
		n++
	}
	return text[:n]
}

func (c *conditionals) endBranch(g *conditionalGroup, end int) {
	b := len(g.branches) - 1
	g.branches[b].End = end
	g.divides = g.divides || c.braces != g.begin || c.parens != g.parens
	if b == g.kept {
		g.after = c.braces
	}
}

func (c *conditionals) blankGroup(g conditionalGroup) {
	if c.out == nil {
		c.out = bytes.Clone(c.src)
	}
	for _, d := range g.directives {
		blank(c.out[d.Start:d.End])
	}
	for i, b := range g.branches {
		if i != g.kept && b.Start < b.End {
			blank(c.out[b.Start:b.End])
		}
	}
}

// count adds the brackets of a line, without those in comments, strings and characters.
func (c *conditionals) count(line []byte) {
	for i := 0; i < len(line); i++ {
		if c.comment {
			end := bytes.Index(line[i:], []byte("*/"))
			if end < 0 {
				return
			}
			c.comment = false
			i += end + 1
			continue
		}
		switch line[i] {
		case '/':
			if bytes.HasPrefix(line[i:], []byte("//")) {
				return
			}
			if bytes.HasPrefix(line[i:], []byte("/*")) {
				c.comment = true
				i++
			}
		case '"', '\'':
			i += quoted(line[i:]) - 1
		case '{':
			c.braces++
		case '}':
			c.braces--
		case '(':
			c.parens++
		case ')':
			c.parens--
		}
	}
}

// quoted is the length of the string or character that a text begins with; one at least.
func quoted(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		case '\n':
			return 1 // a digit separator, or an apostrophe in prose
		}
	}
	return 1
}

func (c *conditionals) result() []byte {
	if c.out == nil {
		return c.src
	}
	return c.out
}

// brokenBytes is how much of a text stands in errors of its tree, each counted with what is missing.
func brokenBytes(root *sitter.Node) int {
	cursor := sitter.NewTreeCursor(root) // asked for by its number, a child costs as much as those before it
	defer cursor.Close()
	return brokenBelow(cursor)
}

func brokenBelow(cursor *sitter.TreeCursor) int {
	n := cursor.CurrentNode()
	switch {
	case !n.HasError():
		return 0
	case n.IsError():
		return int(n.EndByte()-n.StartByte()) + 1
	case n.IsMissing():
		return 1
	}
	total := 0
	if cursor.GoToFirstChild() {
		total += brokenBelow(cursor)
		for cursor.GoToNextSibling() {
			total += brokenBelow(cursor)
		}
		cursor.GoToParent()
	}
	return total
}
