package chunk

import (
	"encoding/binary"
	"iter"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// A SymbolKind says what a symbol is.
type SymbolKind uint8

// The kinds of symbols: those of package syntax, and functions that are defined inside others.
const (
	Constant      = SymbolKind(syntax.Constant)
	Variable      = SymbolKind(syntax.Variable)
	Field         = SymbolKind(syntax.Field)
	Property      = SymbolKind(syntax.Property)
	EnumMember    = SymbolKind(syntax.EnumMember)
	Macro         = SymbolKind(syntax.Macro)
	Member        = SymbolKind(syntax.Member)
	TypeName      = SymbolKind(syntax.Type)
	Namespace     = SymbolKind(syntax.Namespace)
	Table         = SymbolKind(syntax.Table)
	Column        = SymbolKind(syntax.Column)
	Selector      = SymbolKind(syntax.Selector)
	Key           = SymbolKind(syntax.Key)
	Test          = SymbolKind(syntax.Test)
	Route         = SymbolKind(syntax.Route)
	Inner         = SymbolKind(syntax.Inner)
	LocalFunction = Inner + 1

	lastSymbolKind = LocalFunction
)

var symbolKinds = [...]string{
	Constant: "constant", Variable: "variable", Field: "field", Property: "property", EnumMember: "enum member", Macro: "macro",
	Member: "method", TypeName: "type", Namespace: "namespace", Table: "table", Column: "column", Selector: "selector",
	Key: "key", Test: "test", Route: "route", Inner: "property", LocalFunction: "function",
}

// String is the kind as people call it.
func (k SymbolKind) String() string {
	if k == 0 || k > lastSymbolKind {
		return ""
	}
	return symbolKinds[k]
}

// A Symbol is a named thing that is no chunk: a constant, a field, a function inside another one. Its text is a part of
// what is around it, and answers questions together with that. It has a name that people look for all the same.
type Symbol struct {
	Kind      SymbolKind
	Name      string // as it stands at NameSpan
	Container string // the names around it, joined by "."
	Chunk     int    // into File.Chunks: the innermost one around its name
	Span      Span   // its declaration; of a function, its comment included
	NameSpan  Span
	Signature Span // of a function; {} for the others
}

// QualifiedName is the container and the name joined by a dot.
func (s *Symbol) QualifiedName() string {
	return strings.TrimPrefix(s.Container+"."+s.Name, ".")
}

// SymbolTable holds the symbols of a file in the order of their names' places. It is one string, so that a file of a
// thousand constants is one allocation, and the names in it cost none.
//
//	number of containers, each with its length before it; then by symbol: kind, with a flag for a signature; distance to the
//	chunk of the one before; distance to its name; bytes from the start of its span to its name; bytes from the name's
//	start to the end of the span; number of its container; name with its length before it; signature, if it has one, as
//	bytes before the name and bytes from there
type SymbolTable string

const hasSignature = 0x80

// newSymbolTable encodes symbols, which it sorts.
func newSymbolTable(list []Symbol) SymbolTable {
	if len(list) == 0 {
		return ""
	}
	slices.SortStableFunc(list, func(a, b Symbol) int { return a.NameSpan.Start - b.NameSpan.Start })
	numbers := map[string]int{}
	var containers []string
	for _, s := range list {
		if _, known := numbers[s.Container]; !known {
			numbers[s.Container] = len(containers)
			containers = append(containers, s.Container)
		}
	}
	w := writer{}
	w.uint(len(containers))
	for _, c := range containers {
		w.string(c)
	}
	var before Symbol
	for _, s := range list {
		w.symbol(s, before, numbers[s.Container])
		before = s
	}
	return SymbolTable(w.buf)
}

func (w *writer) symbol(s, before Symbol, container int) {
	kind := byte(s.Kind)
	if !s.Signature.Empty() {
		kind |= hasSignature
	}
	w.buf = append(w.buf, kind)
	w.buf = binary.AppendVarint(w.buf, int64(s.Chunk-before.Chunk))
	w.uint(s.NameSpan.Start - before.NameSpan.Start)
	w.uint(s.NameSpan.Start - s.Span.Start)
	w.uint(s.Span.End - s.NameSpan.Start)
	w.uint(container)
	w.string(s.Name)
	if !s.Signature.Empty() {
		w.uint(s.NameSpan.Start - s.Signature.Start)
		w.uint(s.Signature.End - s.Signature.Start)
	}
}

// All iterates over the symbols.
func (t SymbolTable) All() iter.Seq[Symbol] {
	return func(yield func(Symbol) bool) {
		r := tableReader{rest: string(t)}
		containers := r.containers()
		var s Symbol
		for len(r.rest) > 0 {
			if s = r.symbol(s, containers); r.bad || !yield(s) {
				return
			}
		}
	}
}

// Named iterates over the symbols with exactly this name.
func (t SymbolTable) Named(name string) iter.Seq[Symbol] {
	return func(yield func(Symbol) bool) {
		if !strings.Contains(string(t), name) {
			return // most tables, without a look at each symbol
		}
		for s := range t.All() {
			if s.Name == name && !yield(s) {
				return
			}
		}
	}
}

// List returns the symbols.
func (t SymbolTable) List() []Symbol { return slices.Collect(t.All()) }

// valid reports whether the table is whole, and its symbols lie in that many chunks.
func (t SymbolTable) valid(chunks int) bool {
	r := tableReader{rest: string(t)}
	containers := r.containers()
	var s Symbol
	for len(r.rest) > 0 && !r.bad {
		s = r.symbol(s, containers)
		r.bad = r.bad || s.Chunk < 0 || s.Chunk >= chunks || s.Span.Start < 0 || s.Signature.Start < 0
	}
	return !r.bad
}

// A tableReader takes values off the front of a table. What it returns after the first bad one is of no use.
type tableReader struct {
	rest string
	bad  bool
}

func (r *tableReader) containers() []string {
	if r.rest == "" {
		return nil
	}
	n := r.uint()
	if n > len(r.rest) {
		r.bad, r.rest = true, ""
		return nil
	}
	list := make([]string, 0, n)
	for ; n > 0; n-- {
		list = append(list, r.string())
	}
	return list
}

func (r *tableReader) symbol(before Symbol, containers []string) Symbol {
	kind := r.byte()
	s := Symbol{Kind: SymbolKind(kind &^ hasSignature), Chunk: before.Chunk + r.int()}
	s.NameSpan.Start = before.NameSpan.Start + r.uint()
	s.Span.Start = s.NameSpan.Start - r.uint()
	s.Span.End = s.NameSpan.Start + r.uint()
	container := r.uint()
	s.Name = r.string()
	s.NameSpan.End = s.NameSpan.Start + len(s.Name)
	if kind&hasSignature != 0 {
		s.Signature.Start = s.NameSpan.Start - r.uint()
		s.Signature.End = s.Signature.Start + r.uint()
	}
	if r.bad = r.bad || container >= len(containers); !r.bad {
		s.Container = containers[container]
	}
	return s
}

func (r *tableReader) byte() byte {
	if r.rest == "" {
		r.bad = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *tableReader) uint() int {
	if r.rest != "" && r.rest[0] < 0x80 {
		n := r.rest[0]
		r.rest = r.rest[1:]
		return int(n)
	}
	return r.longUint()
}

func (r *tableReader) longUint() int {
	n, shift := uint64(0), 0
	for {
		b := r.byte()
		n |= uint64(b&0x7f) << shift
		if shift += 7; b < 0x80 || shift > 42 {
			break
		}
	}
	if n > maxNumber {
		r.bad, r.rest = true, ""
		return 0
	}
	return int(n)
}

// int reads a number with a sign, as binary.AppendVarint writes it.
func (r *tableReader) int() int {
	n := r.uint()
	if n&1 != 0 {
		return ^(n >> 1)
	}
	return n >> 1
}

func (r *tableReader) string() string {
	n := r.uint()
	if n > len(r.rest) {
		r.bad, r.rest = true, ""
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// addSymbols notes what has a name and became no chunk. The chunks have their final order.
func (b *builder) addSymbols(out *syntax.Outline) {
	place := placer{chunks: b.file.Chunks}
	list := make([]Symbol, 0, len(out.Symbols))
	for i := range out.Symbols {
		s := &out.Symbols[i]
		list = append(list, Symbol{
			Kind: SymbolKind(s.Kind), Name: s.Name, Container: s.Container, Span: Span(s.Span), NameSpan: Span(s.NameSpan),
		})
	}
	for i := range out.Definitions {
		if d := &out.Definitions[i]; isLocalFunction(out.Definitions, d) {
			list = append(list, Symbol{
				Kind: LocalFunction, Name: d.Name, Container: d.Container, Span: Span(d.Span), NameSpan: Span(d.NameSpan),
				Signature: orNone(d.Signature),
			})
		}
	}
	slices.SortStableFunc(list, func(a, b Symbol) int { return a.NameSpan.Start - b.NameSpan.Start })
	placed := list[:0]
	for _, s := range list {
		if place.find(&s) {
			placed = append(placed, s)
		}
	}
	b.file.Symbols = newSymbolTable(placed)
}

// isLocalFunction reports whether d is a function inside another one, which becomes no chunk.
func isLocalFunction(definitions []syntax.Definition, d *syntax.Definition) bool {
	return d.Name != "" && (d.Kind == syntax.Function || d.Kind == syntax.Method) && insideFunction(definitions, d)
}

// A placer finds the innermost chunks of symbols that come in the order of their names. Chunks nest and are sorted.
type placer struct {
	chunks []Chunk
	open   []int // those around the last name, the innermost last
	next   int
}

// find fills in the chunk of a symbol, and reports whether there is one.
func (p *placer) find(s *Symbol) bool {
	at := s.NameSpan.Start
	for ; p.next < len(p.chunks) && p.chunks[p.next].Span.Start <= at; p.next++ {
		p.open = append(p.open, p.next)
	}
	for i := len(p.open) - 1; i >= 0; i-- { // a chunk that ended may lie below one that did not
		if p.chunks[p.open[i]].Span.Contains(at) {
			s.Chunk = p.open[i]
			p.open = p.open[:i+1]
			return true
		}
	}
	p.open = p.open[:0]
	return false
}

// moved returns the table as it is after a text was changed, without the symbols that the change took.
func (t SymbolTable) moved(m shift, place map[int]int) SymbolTable {
	var list []Symbol
	for s := range t.All() {
		chunk, here := place[s.Chunk]
		name, named := m.span(s.NameSpan)
		span, ok := m.span(s.Span)
		if !here || !named || !ok || name.End-name.Start != len(s.Name) {
			continue
		}
		s.Chunk, s.NameSpan, s.Span = chunk, name, span
		if s.Signature, ok = m.span(s.Signature); !ok {
			s.Signature = Span{}
		}
		list = append(list, s)
	}
	return newSymbolTable(list)
}
