package syntax

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// maxSymbolName is the longest name of a symbol, in bytes. What is longer is data, as a key that is a sentence.
const maxSymbolName = 160

// maxKeys is the most keys of one file that are symbols. What has more is data rather than a configuration.
const maxKeys = 500

// foundSymbol is a symbol on its way into the outline.
type foundSymbol struct {
	kind       SymbolKind
	span, name Span
}

// addSymbol takes in a symbol.
func (c *collector) addSymbol(m *match, r role) {
	name := c.bareName(c.trim(m.spans[roleName]))
	if name.Empty() || name.End-name.Start > maxSymbolName {
		return
	}
	span := c.trim(m.spans[r])
	if !span.Covers(name) {
		span = name
	}
	c.symbols = append(c.symbols, foundSymbol{SymbolKind(r-roleSymbolConstant) + Constant, span, name})
}

// bareName is the span of a name without the quotes, and the marks of what it names, around it: "key", :symbol, @field,
// #private, keyword:.
func (c *collector) bareName(s Span) Span {
	text := c.src[s.Start:s.End]
	if len(text) >= 2 && strings.IndexByte("\"'`", text[0]) >= 0 && text[len(text)-1] == text[0] {
		return Span{s.Start + 1, s.End - 1}
	}
	s.Start = s.End - len(bytes.TrimLeft(text, ":@#"))
	return Span{s.Start, s.Start + len(bytes.TrimRight(c.src[s.Start:s.End], ":="))}
}

// properSymbols returns the symbols in the order of their names: each name once, the first kind that the query gives it,
// without the names of definitions, the variables inside functions, and the names that an import brings: const {x} = require("y")
func (c *collector) properSymbols(nested []*found) []Symbol {
	slices.SortStableFunc(c.symbols, func(a, b foundSymbol) int {
		return cmp.Or(cmp.Compare(a.name.Start, b.name.Start), cmp.Compare(asInner(a.kind), asInner(b.kind)))
	})
	var symbols []Symbol
	around := &surroundings{rest: nested, seen: map[string]bool{}}
	for i, s := range c.symbols {
		if i > 0 && c.symbols[i-1].name.Start == s.name.Start || c.isDefined(s.name) || c.imported[s.name.Start] && s.kind <= Variable {
			continue
		}
		around.move(s.name)
		symbol := Symbol{
			Name: c.text(s.name), Container: c.container(around, s.kind), Span: s.span, NameSpan: s.name,
		}
		symbol.Kind = around.properKind(s.kind, symbol.Name)
		if !around.hides(s.kind, symbol) {
			symbols = append(symbols, symbol)
		}
	}
	return symbols
}

// asInner puts what is only a key of some object behind what else a name is.
func asInner(kind SymbolKind) int {
	if kind == Inner {
		return 1
	}
	return 0
}

// isDefined reports whether a definition has its name at the span.
func (c *collector) isDefined(name Span) bool {
	for _, start := range []int{name.Start, name.Start - 1} {
		if d := c.definitions[start]; d != nil && d.kind != 0 && d.text == string(c.src[name.Start:name.End]) {
			return true
		}
	}
	return false
}

// surroundings are the definitions and scopes around a place that moves through the text.
type surroundings struct {
	open   []*found // those that the place lies in, the innermost last
	around []*found // the same without the one whose name is at the place
	rest   []*found // those that begin behind the place
	seen   map[string]bool
	keys   int
}

// move goes to a name behind the one before. What has that very name is not around it.
func (a *surroundings) move(name Span) {
	for ; len(a.rest) > 0 && a.rest[0].span.Start <= name.Start; a.rest = a.rest[1:] {
		a.close(a.rest[0].span.Start)
		a.open = append(a.open, a.rest[0])
	}
	a.close(name.Start)
	a.around = a.open
	if n := len(a.open); n > 0 && a.open[n-1].name.Covers(name) {
		a.around = a.open[:n-1]
	}
}

func (a *surroundings) close(at int) {
	for n := len(a.open); n > 0 && a.open[n-1].span.End <= at; n = len(a.open) {
		a.open = a.open[:n-1]
	}
}

// inFunction reports whether the innermost definition is a function.
func (a *surroundings) inFunction() bool {
	for i := len(a.around) - 1; i >= 0; i-- {
		if kind := a.around[i].kind; kind != 0 {
			return kind == Function || kind == Method
		}
	}
	return false
}

// properKind tells the constants among variables and fields by their spelling, and the fields among variables by their place.
func (a *surroundings) properKind(kind SymbolKind, name string) SymbolKind {
	switch {
	case kind == Property && a.inFunction():
		return Inner
	case kind != Variable && kind != Field && kind != Property:
		return kind
	case isUpper(name):
		return Constant
	case kind == Variable && len(a.around) > 0 && a.around[len(a.around)-1].kind == Class:
		return Field
	}
	return kind
}

// isUpper reports whether a name has capitals and no small letters, and more than one of them.
func isUpper(name string) bool {
	return len(name) > 1 && strings.ToUpper(name) == name && strings.ToLower(name) != name
}

// container is the names of what is around the place. The field that a method assigns belongs to the type of the method.
func (c *collector) container(a *surroundings, kind SymbolKind) string {
	if len(a.around) == 0 {
		return ""
	}
	f := a.around[len(a.around)-1]
	if kind == Field && a.inFunction() {
		return f.path()
	}
	name := f.text
	if f.kind == Block { // its label may say more
		name = unquote(c.text(f.name))
	}
	return strings.Trim(f.path()+"."+name, ".")
}

// hides reports whether a symbol is none to those who look for names: a variable of a function, a field that a method assigns or a
// key of an object there that is known already, a selector of another rule.
func (a *surroundings) hides(captured SymbolKind, s Symbol) bool {
	switch captured {
	case Variable:
		return a.inFunction()
	case Field, Property:
		again := a.repeats(s.Container + "." + s.Name)
		return again && a.inFunction() || s.Kind == Inner && a.tooMany()
	case Inner:
		return a.repeats(s.Container+"."+s.Name) || a.tooMany()
	case Selector:
		return a.repeats(s.Name)
	case Key:
		return a.tooMany()
	}
	return false
}

// tooMany counts a key, and reports whether the file has more of them than are symbols.
func (a *surroundings) tooMany() bool {
	a.keys++
	return a.keys > maxKeys
}

// repeats reports whether the name was there before.
func (a *surroundings) repeats(name string) bool {
	had := a.seen[name]
	a.seen[name] = true
	return had
}
