package syntax

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// label is the name of a block on one line, between its verb and its member if it has them.
func (c *collector) label(m *match) string {
	text := strings.Join(strings.Fields(unquote(c.text(m.spans[roleName]))), " ")
	if verb, ok := m.get(roleVerb); ok {
		text = keyword(c.text(verb)) + " " + text
	}
	if member, ok := m.get(roleMember); ok {
		text += "." + unquote(c.text(member))
	}
	return text
}

// keyword is the usual way to write a keyword of a language that ignores case.
func keyword(s string) string {
	isLetter := func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
	if strings.TrimFunc(s, isLetter) == "" {
		return strings.ToUpper(s)
	}
	return s
}

// importPath narrows the span of an import whose grammar has no node for its path to what follows the keyword.
func (c *collector) importPath(s Span) Span {
	if rest, ok := bytes.CutPrefix(c.src[s.Start:s.End], []byte("import ")); ok {
		s.Start = s.End - len(rest)
	}
	return c.trim(s)
}

// trim cuts white space off both ends of a span. Some grammars count it to the token that follows or precedes it.
func (c *collector) trim(s Span) Span {
	const space = " \t\r\n\f\v"
	text := c.src[s.Start:s.End]
	s.Start += len(text) - len(bytes.TrimLeft(text, space))
	if s.Start == s.End {
		return s
	}
	s.End -= len(text) - len(bytes.TrimRight(text, space))
	return s
}

// dropTrailing takes comments off the end of a definition that are indented no deeper than it: they belong to what
// follows, though languages without closing brackets let the grammar count them to what precedes.
func (c *collector) dropTrailing(d *found) {
	for {
		i, _ := slices.BinarySearchFunc(c.leads, d.span.End, func(l lead, end int) int {
			return cmp.Compare(l.span.Start, end)
		})
		if i == 0 {
			return
		}
		l := c.leads[i-1]
		if !l.comment || l.span.End != d.span.End || l.span.Start <= d.name.End || !c.beginsLine(l.span.Start) {
			return
		}
		if c.column(l.span.Start) > c.column(d.span.Start) {
			return
		}
		d.span = c.trim(Span{d.span.Start, l.span.Start})
	}
}

// column is the distance in bytes from the start of the line.
func (c *collector) column(offset int) int {
	return offset - 1 - bytes.LastIndexByte(c.src[:offset], '\n')
}

// innerLead returns the comments with which a definition itself begins, for grammars that make them a part of it.
func (c *collector) innerLead(d *found) Span {
	first, _ := slices.BinarySearchFunc(c.leads, d.span.Start, func(l lead, start int) int {
		return cmp.Compare(l.span.Start, start)
	})
	var doc Span
	for _, l := range c.leads[first:] {
		next := max(d.span.Start, doc.End)
		if l.span.Start < next {
			continue // inside of the one before
		}
		if !l.comment || l.span.End > d.name.Start || len(bytes.TrimSpace(c.src[next:l.span.Start])) > 0 {
			break
		}
		if doc.Empty() {
			doc.Start = l.span.Start
		}
		doc.End = l.span.End
	}
	return doc
}

// leadStart is where the comments right above a span begin, or the span itself.
func (c *collector) leadStart(s Span) int {
	d := &found{span: s, name: s}
	c.attachLeads(d)
	return d.span.Start
}
