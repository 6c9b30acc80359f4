package syntax

import (
	"bytes"
	"slices"
	"strings"
)

// nest sorts definitions and scopes by their start and links each one to the innermost one around it. Spans that
// overlap without nesting, which broken code can give, are cut or dropped until they nest.
func nest(list []*found) []*found {
	slices.SortFunc(list, func(a, b *found) int {
		if order := compareSpans(a.span, b.span); order != 0 {
			return order
		}
		return a.name.Start - b.name.Start
	})
	var nested, open []*found
	for _, f := range list {
		for n := len(open); n > 0 && open[n-1].span.End <= f.span.Start; n = len(open) {
			open = open[:n-1]
		}
		if n := len(open); n > 0 {
			if f.outer = open[n-1]; f.span.End > f.outer.span.End {
				f.span.End = f.outer.span.End
			}
		}
		if !f.span.Covers(f.name) || f.span.Empty() {
			continue
		}
		nested, open = append(nested, f), append(open, f)
	}
	return nested
}

// resolve turns nested definitions into those of the outline; scopes only lend their names.
func (c *collector) resolve(nested []*found) []Definition {
	definitions := make([]Definition, 0, len(nested))
	for _, f := range nested {
		f.index = len(definitions)
		if f.kind == 0 {
			continue
		}
		definitions = append(definitions, Definition{
			Kind:      f.resolvedKind(),
			Name:      f.text,
			Container: f.path(),
			Parent:    f.parent(),
			Span:      f.span,
			NameSpan:  f.name,
			Signature: c.signature(f),
			Doc:       f.within(f.doc),
			Result:    f.within(f.result),
		})
	}
	return definitions
}

func (f *found) resolvedKind() Kind {
	if f.kind == Function && f.outer != nil && f.outer.methods {
		return Method
	}
	return f.kind
}

// path joins the names around f, and behind them the container that f names itself.
func (f *found) path() string {
	var names []string
	if f.container != "" {
		names = append(names, f.container)
	}
	for o := f.outer; o != nil; o = o.outer {
		if o.text != "" {
			names = append(names, o.text)
		}
		if o.container != "" {
			names = append(names, o.container)
		}
	}
	slices.Reverse(names)
	return strings.Join(names, ".")
}

func (f *found) parent() int {
	for o := f.outer; o != nil; o = o.outer {
		if o.kind != 0 {
			return o.index
		}
	}
	return -1
}

// within returns s when it lies in f, and nothing otherwise.
func (f *found) within(s Span) Span {
	if s.Empty() || !f.span.Covers(s) {
		return Span{}
	}
	return s
}

// maxSignature bounds, in bytes, the signature of a definition that has no body, as a type alias; longer ones, and
// those of blocks, end with their first line.
const maxSignature = 240

// maxPrototype is the same for what ends in a list of parameters.
const maxPrototype = 1000

// signature reaches from the definition's own start, comments and attributes left out, to its body.
func (c *collector) signature(f *found) Span {
	s := Span{c.ownStart(f), f.span.End}
	if !f.body.Empty() && s.Start < f.body.Start && f.body.Start <= s.End {
		s.End = f.body.Start
		s.End = c.beforeComment(f.name.End, s.End)
	} else if s.End-s.Start > maxSignature && !isPrototype(c.src[s.Start:s.End]) || f.kind == Block {
		line := bytes.IndexByte(c.src[f.name.End:s.End], '\n')
		if line < 0 {
			line = min(maxSignature, s.End-f.name.End)
		}
		s.End = f.name.End + line
	}
	text := bytes.TrimRight(c.src[s.Start:s.End], " \t\r\n")
	if head, ok := bytes.CutSuffix(text, []byte(" =")); ok && len(head) > f.name.End-s.Start-1 {
		text = bytes.TrimRight(head, " \t\r\n") // an equals sign opens the body
	}
	s.End = s.Start + len(text)
	return s
}

// isPrototype reports whether a definition is only a signature, with a parameter list of many lines.
func isPrototype(text []byte) bool {
	return len(text) <= maxPrototype && bytes.HasSuffix(text, []byte(");")) && bytes.IndexByte(text, '{') < 0
}

// beforeComment returns where the first comment with a line of its own begins that starts in [from, to), else to.
func (c *collector) beforeComment(from, to int) int {
	first, _ := slices.BinarySearchFunc(c.leads, from, func(l lead, start int) int { return l.span.Start - start })
	for _, l := range c.leads[first:] {
		if l.span.Start >= to {
			break
		}
		if l.comment && c.beginsLine(l.span.Start) {
			return l.span.Start
		}
	}
	return to
}

// ownStart is where a definition begins once the comments and attributes before its name are skipped.
func (c *collector) ownStart(f *found) int {
	start := f.span.Start
	first, _ := slices.BinarySearchFunc(c.leads, start, func(l lead, start int) int { return l.span.Start - start })
	for _, l := range c.leads[first:] {
		if l.span.Start < start {
			continue // a comment inside an attribute
		}
		if l.head || l.span.End > f.name.Start || len(bytes.TrimSpace(c.src[start:l.span.Start])) > 0 {
			break
		}
		start = l.span.End
	}
	rest := c.src[start:f.name.End]
	return start + len(rest) - len(bytes.TrimLeft(rest, " \t\r\n"))
}
