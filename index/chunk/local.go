package chunk

import (
	"slices"

	"github.com/aurora-sidecar/aurora/index/syntax"
)

// A Local is a function that is defined inside another one. It is no chunk: its text is a part of what is around it, and
// answers questions together with that. It has a name that people look for all the same.
type Local struct {
	Chunk     int // into File.Chunks: the innermost one around it
	Name      string
	Span      Span // its comment included
	NameSpan  Span
	Signature Span
}

// addLocals notes the functions that became no chunks. The chunks have their final order.
func (b *builder) addLocals(definitions []syntax.Definition) {
	chunks := b.file.Chunks
	for i := range definitions {
		d := &definitions[i]
		if d.Name == "" || d.Kind != syntax.Function && d.Kind != syntax.Method || !insideFunction(definitions, d) {
			continue
		}
		if at := innermost(chunks, Span(d.Span)); at >= 0 {
			b.file.Locals = append(b.file.Locals, Local{
				Chunk: at, Name: d.Name, Span: Span(d.Span), NameSpan: Span(d.NameSpan), Signature: Span(d.Signature),
			})
		}
	}
	slices.SortStableFunc(b.file.Locals, func(x, y Local) int { return x.Chunk - y.Chunk })
}

// innermost returns the last chunk that covers a span, -1 when none does. Chunks nest and are sorted, the outer ones first.
func innermost(chunks []Chunk, s Span) int {
	for i := len(chunks) - 1; i >= 0; i-- {
		if chunks[i].Span.Covers(s) {
			return i
		}
	}
	return -1
}

// LocalsOf returns the functions inside the i-th chunk that are no chunks.
func (f *File) LocalsOf(i int) []Local {
	start, _ := slices.BinarySearchFunc(f.Locals, i, func(l Local, i int) int { return l.Chunk - i })
	end := start
	for end < len(f.Locals) && f.Locals[end].Chunk == i {
		end++
	}
	return f.Locals[start:end]
}
