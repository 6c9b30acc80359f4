package syntax

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addSupertype takes in what a type inherits from.
func (c *collector) addSupertype(m *match, span Span) {
	qualifier, name := splitType(c.text(span))
	subtype, ok := m.get(roleName)
	if !ok || name == "" {
		return
	}
	c.inherits = append(c.inherits, Inheritance{
		Subtype: unquote(c.text(c.trim(subtype))), Supertype: name, Qualifier: qualifier, Span: span,
	})
}

// splitType takes a type as written apart: "io.Reader", "ns::Base<T>", `\Shop\Cart`, "Base[int]".
func splitType(written string) (qualifier, name string) {
	if i := strings.IndexAny(written, "<[({"); i > 0 {
		written = written[:i]
	}
	parts := strings.FieldsFunc(written, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch len(parts) {
	case 0:
		return "", ""
	case 1:
		return "", parts[0]
	}
	return parts[len(parts)-2], parts[len(parts)-1]
}

// properInherits returns the supertypes in the order of the text, each place once.
func (c *collector) properInherits() []Inheritance {
	slices.SortFunc(c.inherits, func(a, b Inheritance) int {
		if order := compareSpans(a.Span, b.Span); order != 0 {
			return order
		}
		return strings.Compare(a.Subtype, b.Subtype)
	})
	return slices.Compact(c.inherits)
}

// separators stand between a qualifier and what is called on it.
var separators = [][]byte{[]byte("?."), []byte("!."), []byte("!!."), []byte("."), []byte("?->"), []byte("->"), []byte("::")}

// qualifier returns the name before the separator that ends at start: "text" of text.Parse. White space around the
// separator does not count.
func (c *collector) qualifier(start int) string {
	before := bytes.TrimRight(c.src[:start], " \t\r\n")
	for _, sep := range separators {
		head, ok := bytes.CutSuffix(before, sep)
		if !ok {
			continue
		}
		head = bytes.TrimRight(head, " \t\r\n")
		from := len(head)
		for from > 0 {
			r, size := utf8.DecodeLastRune(head[:from])
			if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				break
			}
			from -= size
		}
		switch {
		case from == len(head) && sep[0] == ':' && bytes.HasSuffix(head, []byte(">")):
			return Unknown
		case from == len(head) && sep[0] == ':':
			return "" // of the outermost scope
		case bytes.HasSuffix(head, []byte("super()")):
			return "super"
		case from == len(head):
			return Unknown
		}
		return c.text(Span{from, len(head)})
	}
	return ""
}

// fileDoc returns the documentation string that only comments and white space precede.
func (c *collector) fileDoc() Span {
	if len(c.docs) == 0 {
		return Span{}
	}
	doc := slices.MinFunc(c.docs, func(a, b Span) int { return a.Start - b.Start })
	at := len(c.src) - len(bytes.TrimPrefix(c.src, byteOrderMark))
	for _, l := range c.leads {
		if l.comment && l.span.Start >= at && l.span.End <= doc.Start && isSpace(c.src[at:l.span.Start]) {
			at = l.span.End
		}
	}
	if !isSpace(c.src[at:doc.Start]) {
		return Span{}
	}
	return doc
}

var byteOrderMark = []byte("\uFEFF")

func isSpace(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }
