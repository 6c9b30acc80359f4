package syntax

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// maxReceiver bounds, in bytes, how far before a call its receiver may begin.
const maxReceiver = 4000

// receiver returns what a name that starts at an offset is called on: the name before the separator, and the whole expression.
func (c *collector) receiver(start int) (qualifier string, on Span) {
	qualifier = c.qualifier(start)
	end, ok := beforeSeparator(c.src, start)
	if !ok {
		return qualifier, Span{}
	}
	b := backward{c.src, max(0, end-maxReceiver)}
	if from := b.expression(end); from >= 0 {
		on = Span{from, end}
	}
	return qualifier, on
}

// beforeSeparator returns the end of what stands before the separator that ends at an offset.
func beforeSeparator(src []byte, at int) (end int, ok bool) {
	before := bytes.TrimRight(src[:at], " \t\r\n")
	for _, sep := range separators {
		if head, ok := bytes.CutSuffix(before, sep); ok {
			return len(bytes.TrimRight(head, " \t\r\n")), true
		}
	}
	return 0, false
}

// backward reads expressions from their ends.
type backward struct {
	src   []byte
	least int // nothing before it is looked at
}

// expression returns where the expression that ends at an offset begins: names, calls, subscripts and literals behind each
// other. -1 when it can't be told.
func (b backward) expression(end int) int {
	at := end
	for at > b.least {
		switch last := b.src[at-1]; {
		case last == ')' || last == ']' || last == '}':
			open := b.opening(at - 1)
			if open < 0 {
				return -1
			}
			at = b.generics(b.literal(open))
			if at > b.least && (isWordByte(b.src[at-1]) || b.src[at-1] == ')' || b.src[at-1] == ']') {
				continue
			}
			if next, ok := b.chained(at); ok {
				at = next // the type assertion of Go
				continue
			}
			return at
		case last == '"' || last == '\'' || last == '`':
			return b.quoted(at - 1)
		case last == '>' && b.generics(at) < at: // T::<U>::new
			at = b.generics(at)
		case last == '!':
			at--
		case isWordByte(last):
			at = b.word(at)
			if next, ok := b.chained(at); ok {
				at = next
				continue
			}
			return b.operators(at)
		default:
			return -1
		}
	}
	return -1
}

// literal goes back over the space between a name with a capital letter and the braces at an offset, as of a struct of Rust.
func (b backward) literal(open int) int {
	end := len(bytes.TrimRight(b.src[:open], " "))
	if start := b.word(end); b.src[open] == '{' && start < end {
		if r, _ := utf8.DecodeRune(b.src[start:]); unicode.IsUpper(r) {
			return end
		}
	}
	return open
}

// chained returns the end of what a name that begins at an offset is a member of.
func (b backward) chained(at int) (end int, ok bool) {
	end, ok = beforeSeparator(b.src[:at], at)
	return end, ok && end > b.least
}

// operators goes back over the words that make an object of an expression.
func (b backward) operators(at int) int {
	before := bytes.TrimRight(b.src[:at], " \t")
	for _, word := range []string{"new", "await"} {
		if head, ok := bytes.CutSuffix(before, []byte(word)); ok && len(before) < at && (len(head) == 0 || !isWordByte(head[len(head)-1])) {
			return b.operators(len(head))
		}
	}
	return at
}

// generics goes back over type arguments between a name and its brackets.
func (b backward) generics(at int) int {
	if at <= b.least+1 || b.src[at-1] != '>' || b.src[at-2] == '=' {
		return at
	}
	depth := 0
	for i := at - 1; i > b.least && at-i < 200; i-- {
		switch b.src[i] {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 && isWordByte(b.src[i-1]) {
				return i
			}
			if depth == 0 && bytes.HasSuffix(b.src[b.least:i], []byte("::")) {
				return i - 2
			}
		}
	}
	return at
}

// opening returns the bracket that the one at an offset closes, -1 without one.
func (b backward) opening(at int) int {
	depth := 0
	for i := at; i >= b.least; i-- {
		switch b.src[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'', '`':
			if start := b.quoted(i); start >= 0 {
				i = start
			}
		}
	}
	return -1
}

// quoted returns where the string that ends with the quote at an offset begins, on the same line but for backquotes.
func (b backward) quoted(at int) int {
	quote := b.src[at]
	for i := at - 1; i >= b.least; i-- {
		switch {
		case b.src[i] == quote && (i == 0 || b.src[i-1] != '\\'):
			return i
		case b.src[i] == '\n' && quote != '`':
			return -1
		}
	}
	return -1
}

// word returns where the name that ends at an offset begins.
func (b backward) word(at int) int {
	for at > b.least {
		r, size := utf8.DecodeLastRune(b.src[:at])
		if r != '_' && r != '$' && r != '#' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		at -= size
	}
	return at
}

func isWordByte(b byte) bool {
	return b == '_' || b == '$' || b >= utf8.RuneSelf || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// addBinding takes in names that get a type or a value.
func (c *collector) addBinding(m *match, names Span) {
	b := Binding{Names: names, Type: m.captured(roleBindType), Value: m.captured(roleBindValue), Scope: m.captured(roleBindScope)}
	if each, ok := m.get(roleBindEach); ok {
		b.Value, b.Each = each, true
	}
	if result, ok := m.get(roleResult); ok {
		b.Type, b.Returns = result, true
	}
	c.bindings = append(c.bindings, b)
}

// captured is the span of a role, {} without one.
func (m *match) captured(r role) Span {
	if !m.has(r) {
		return Span{}
	}
	return m.spans[r]
}

// properBindings returns the bindings in the order of the text, and one for each name: what several patterns say of it
// counts together.
func (c *collector) properBindings() []Binding {
	slices.SortStableFunc(c.bindings, func(a, b Binding) int {
		if order := compareSpans(a.Names, b.Names); order != 0 {
			return order
		}
		return compareSpans(a.Scope, b.Scope)
	})
	var list []Binding
	for _, b := range c.bindings {
		if n := len(list); n > 0 && list[n-1].Names == b.Names && (list[n-1].Scope == b.Scope || b.Scope.Empty() || list[n-1].Scope.Empty()) {
			list[n-1].join(b)
			continue
		}
		list = append(list, b)
	}
	return list
}

// join adds what another pattern says of the same names.
func (b *Binding) join(o Binding) {
	if b.Type.Empty() {
		b.Type, b.Returns = o.Type, o.Returns
	}
	if b.Value.Empty() {
		b.Value, b.Each = o.Value, o.Each
	}
	if b.Scope.Empty() {
		b.Scope = o.Scope
	}
}
