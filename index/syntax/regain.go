package syntax

import (
	"bytes"
	"cmp"
	"slices"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// The bounds of what is tried for a text with errors: each round parses it once more.
const (
	regainRounds  = 4
	regainBytes   = 128 << 10 // in all rounds together: texts are parsed at every keystroke, and most have errors then
	maxBeginnings = 2000
)

// beginnings are how definitions begin a line in a language: what stands so is inside of no other one, or of a type. Their group, the
// first that matches, is the name.
var beginnings = map[string]*lazyregexp.Regexp{
	"go":         lazyregexp.New(`(?m)^(?:func(?: \([^)\n]*\))?|type|var|const) ([\pL_]\w*)`),
	"python":     lazyregexp.New(`(?m)^(?:async )?(?:def|class) (\w+)`),
	"rust":       lazyregexp.New(`(?m)^(?:pub(?:\([^)\n]*\))? )?(?:(?:const|async|unsafe) )*(?:fn|struct|enum|trait|mod|type|static|const) (\w+)`),
	"javascript": scriptBeginnings,
	"typescript": scriptBeginnings,
	"tsx":        scriptBeginnings,
	"java":       memberBeginnings,
	"c":          cBeginnings,
	"cpp":        cBeginnings,
	"ruby":       lazyregexp.New(`(?m)^(?:  |\t)?(?:def (?:self\.)?|class |module )(\w+[?!]?)`),
	"csharp":     memberBeginnings,
	"kotlin":     lazyregexp.New(`(?m)^(?:    |  |\t)?(?:(?:public|private|protected|internal|override|open|suspend|inline|abstract|data|sealed) )*(?:fun|class|object|interface) (\w+)`),
	"php":        lazyregexp.New(`(?m)^(?:    |  |\t)?(?:(?:public|private|protected|static|final|abstract) )*(?:function|class|interface|trait|enum) (\w+)`),
	"swift":      lazyregexp.New(`(?m)^(?:    |  |\t)?(?:(?:public|private|internal|fileprivate|open|static|final|override) )*(?:func|class|struct|enum|protocol|actor) (\w+)`),
	"lua":        lazyregexp.New(`(?m)^(?:local )?(?:function (?:\w+[.:])*(\w+) ?\(|(?:\w+[.:])*(\w+) = function\b)`),
	"groovy": lazyregexp.New(`(?m)^(?:    |  |\t)?` + groovyModifiers +
		`(?:(?:class|interface|trait|enum) (\w+)|` + groovyType + ` (\w+|` + groovyQuoted + `)[ \t]*\()`),
}

var (
	scriptBeginnings = lazyregexp.New(`(?m)^(?:export )?(?:default )?(?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|interface|enum|const|let|var|type|namespace) ([\pL_$][\w$]*)`)
	cBeginnings      = lazyregexp.New(`(?m)^[\pL_][\w*:, \t]*[ *](\w+)\([^;(){}]*\)\s*\{`)
	memberBeginnings = lazyregexp.New(`(?m)^(?:    |  |\t)?(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|async|sealed) )+(?:[\w<>\[\],.?]+ )?(\w+)\s*[({]`)
)

// regain looks, in a text with errors, for definitions that an error before them has swallowed: where a line begins as one does and
// has none, the text from the beginning before it is left out, and the rest parsed alone. What was known of the part left out stays.
func (l *Language) regain(tree *sitter.Tree, out *Outline, src []byte) *Outline {
	rule := beginnings[l.Name]
	if rule == nil || !out.HasError || len(src) > regainBytes {
		return out
	}
	rules, err := l.compiled()
	if err != nil {
		return out
	}
	list := rule.FindAllSubmatchIndex(src, maxBeginnings)
	nameOf := func(i int) Span {
		at := list[i][2:]
		for at[0] < 0 {
			at = at[2:]
		}
		return Span{at[0], at[1]}
	}
	broken, from := brokenBytes(tree.RootNode()), 1
	var left []Span
	for range min(regainRounds, regainBytes/max(1, len(src))) {
		at := from
		for at < len(list) && out.names(nameOf(at), src) {
			at++
		}
		if at >= len(list) {
			break
		}
		from = at + 1
		part := Span{leadOf(src, list[at-1][0]), leadOf(src, list[at][0])}
		text := blanked(src, part)
		whole, _ := l.wholly(text)
		other, err := l.parse(nil, whole)
		if err != nil {
			break
		}
		rest, n := (*Outline)(nil), brokenBytes(other.RootNode())
		if n < broken {
			rest, err = rules.outline(other, text, nil)
		}
		closeTree(other)
		if err != nil || rest == nil || !rest.names(nameOf(at), text) {
			continue
		}
		left = append(left, part)
		out, src, broken = out.joined(left, rest), text, n
	}
	return out
}

// leadOf is where the comments and attributes right above a line begin, or the line itself.
func leadOf(src []byte, line int) int {
	for line > 0 {
		above := bytes.LastIndexByte(src[:line-1], '\n') + 1
		text := bytes.TrimLeft(src[above:line], " \t")
		if !slices.ContainsFunc([]string{"//", "#", "@", "/*", "*"}, func(mark string) bool { return bytes.HasPrefix(text, []byte(mark)) }) {
			break
		}
		line = above
	}
	return line
}

// blanked is a text of which a part is white space.
func blanked(src []byte, part Span) []byte {
	text := bytes.Clone(src)
	for i := part.Start; i < part.End; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
	return text
}

// names reports whether the outline has a definition or a symbol whose name is there, and not inside of one that is as far left.
func (o *Outline) names(name Span, src []byte) bool {
	i := slices.IndexFunc(o.Definitions, func(d Definition) bool { return d.NameSpan == name })
	if i < 0 {
		return slices.ContainsFunc(o.Symbols, func(s Symbol) bool { return s.NameSpan == name })
	}
	line, indent := indentOf(src, name.Start)
	if i = o.Definitions[i].Parent; i < 0 {
		return true
	}
	above, outer := indentOf(src, o.Definitions[i].NameSpan.Start)
	return above == line || outer < indent
}

// indentOf is where the line of an offset begins, and how much white space begins it.
func indentOf(src []byte, offset int) (line, indent int) {
	line = bytes.LastIndexByte(src[:offset], '\n') + 1
	return line, offset - line - len(bytes.TrimLeft(src[line:offset], " \t"))
}

// joined is the outline of a text, of which some parts are described by o and the rest by another one.
func (o *Outline) joined(parts []Span, rest *Outline) *Outline {
	around := func(s Span) (Span, bool) {
		i := slices.IndexFunc(parts, func(p Span) bool { return p.Covers(s) })
		if i < 0 || s.Empty() {
			return Span{}, false
		}
		return parts[i], true
	}
	type placed struct {
		Definition
		parent int // the start of the parent's span, -1 without one
	}
	var list []placed
	for _, d := range rest.Definitions {
		p := placed{d, -1}
		if d.Parent >= 0 {
			p.parent = rest.Definitions[d.Parent].Span.Start
		}
		list = append(list, p)
	}
	for _, d := range o.Definitions {
		part, ok := around(d.NameSpan)
		if !ok || d.Span.Start < part.Start {
			continue
		}
		p := placed{d, -1}
		if d.Parent >= 0 {
			p.parent = o.Definitions[d.Parent].Span.Start
		}
		p.Span.End = min(d.Span.End, part.End)
		p.Signature.End = min(d.Signature.End, p.Span.End)
		if !p.Span.Covers(d.Doc) {
			p.Doc = Span{}
		}
		if !p.Span.Covers(d.Result) {
			p.Result = Span{}
		}
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(a, b placed) int { return compareSpans(a.Span, b.Span) })
	out := &Outline{Doc: rest.Doc, Blocks: rest.Blocks, HasError: true, Sparse: rest.Sparse}
	for _, p := range list {
		p.Parent = slices.IndexFunc(out.Definitions, func(d Definition) bool { return p.parent >= 0 && d.Span.Start == p.parent && d.Span.Covers(p.Span) })
		out.Definitions = append(out.Definitions, p.Definition)
	}
	inside := func(s Span) bool {
		_, ok := around(s)
		return ok
	}
	for _, s := range o.Symbols {
		if part, ok := around(s.NameSpan); ok {
			s.Span.Start, s.Span.End = max(s.Span.Start, part.Start), min(s.Span.End, part.End)
			out.Symbols = append(out.Symbols, s)
		}
	}
	out.Symbols = sorted(append(out.Symbols, rest.Symbols...), func(s Symbol) Span { return s.NameSpan })
	out.Calls = sorted(append(only(o.Calls, func(c Call) bool { return inside(c.Span) }), rest.Calls...), func(c Call) Span { return c.Span })
	out.Imports = sorted(append(only(o.Imports, func(i Import) bool { return inside(i.Span) }), rest.Imports...), func(i Import) Span { return i.Span })
	out.Inherits = sorted(append(only(o.Inherits, func(h Inheritance) bool { return inside(h.Span) }), rest.Inherits...), func(h Inheritance) Span { return h.Span })
	out.Bindings, out.Exports = rest.Bindings, rest.Exports
	return out
}

func only[T any](list []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(v T) bool { return !keep(v) })
}

func sorted[T any](list []T, span func(T) Span) []T {
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(span(a).Start, span(b).Start) })
	return list
}
