package chunk

import (
	"hash/fnv"
	"slices"

	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// Version grows whenever the same text would be cut differently, so that what was stored before is not used.
const Version = 1

// Build cuts a parsed text into chunks: its definitions, and what is left between them.
func Build(language string, src []byte, outline *syntax.Outline) *File {
	b := &builder{src: src, lines: text.NewLines(src)}
	b.define(outline.Definitions)
	b.absorbPunctuation()
	b.remainders(outline.Blocks)
	b.calls(outline.Calls)
	return b.file(language, outline)
}

// Analyze parses and cuts a text. A text that the grammar can't take is cut by its paragraphs instead; err then says
// why, and the file is right all the same.
func Analyze(lang *syntax.Language, src []byte) (f *File, err error) {
	outline, err := syntax.Parse(lang, src)
	if err != nil {
		f = BuildText(src)
		f.Language, f.Errors = lang.Name, true
		return f, err
	}
	return Build(lang.Name, src, outline), nil
}

// BuildText cuts a text without a grammar by its paragraphs.
func BuildText(src []byte) *File {
	b := &builder{src: src, lines: text.NewLines(src), kind: KindParagraph}
	b.remainders(nil)
	return b.file("text", &syntax.Outline{})
}

// A builder holds the chunks of one text while they are made. chunks are in the order of their start, outer ones
// first.
type builder struct {
	src    []byte
	lines  *text.Lines
	chunks []Chunk
	kind   Kind // of remainders; "" means KindBlock
}

// define makes a chunk of each definition. What is defined inside a function stays part of the function.
func (b *builder) define(definitions []syntax.Definition) {
	kept := make([]bool, len(definitions))
	for i, d := range definitions {
		if p := d.Parent; p >= 0 && (!kept[p] || definitions[p].Kind == syntax.Function || definitions[p].Kind == syntax.Method) {
			continue
		}
		kept[i] = true
		c := Chunk{
			Name: d.Name, Container: d.Container,
			Span: Span(d.Span), NameSpan: Span(d.NameSpan), Signature: Span(d.Signature), Doc: Span(d.Doc),
		}
		c.Type, c.Kind = typeOf(d.Kind)
		b.chunks = append(b.chunks, c)
	}
}

func typeOf(k syntax.Kind) (Type, Kind) {
	switch k {
	case syntax.Function:
		return Function, KindFunction
	case syntax.Method:
		return Method, KindFunction
	case syntax.Class:
		return Class, KindClass
	}
	return Code, KindSection
}

// gaps returns what no chunk covers, without white space at the ends.
func (b *builder) gaps() []Span {
	var gaps []Span
	end := 0
	add := func(to int) {
		if gap := trim(b.src, Span{end, to}); !gap.Empty() {
			gaps = append(gaps, gap)
		}
	}
	for i := range b.chunks {
		s := b.chunks[i].Span
		if s.Start > end {
			add(s.Start)
		}
		end = max(end, s.End)
	}
	add(len(b.src))
	return gaps
}

// absorbPunctuation lets a chunk have the punctuation that follows it, such as the semicolon after a class: nobody
// looks for that.
func (b *builder) absorbPunctuation() {
	for _, gap := range b.gaps() {
		if slices.ContainsFunc(gap.In(b.src), isWordByte) {
			continue
		}
		if last := b.outermostBefore(gap.Start); last >= 0 {
			b.chunks[last].Span.End = gap.End
		}
	}
}

// outermostBefore returns the index of the last chunk that lies in no other and ends at or before the offset, or -1.
func (b *builder) outermostBefore(offset int) int {
	last, end := -1, 0
	for i := range b.chunks {
		s := b.chunks[i].Span
		if s.Start >= offset {
			break
		}
		if s.Start >= end {
			last = i
		}
		end = max(end, s.End)
	}
	return last
}

func isWordByte(c byte) bool {
	return c >= 0x80 || c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// calls gives each call to the innermost chunk around it. Calls and chunks come in the order of their start, so the
// chunks around a place are a stack.
func (b *builder) calls(calls []syntax.Call) {
	var around []int // indexes of the chunks around the present place, innermost last
	next := 0
	for _, call := range calls {
		at := call.Span.Start
		for ; next < len(b.chunks) && b.chunks[next].Span.Start <= at; next++ {
			around = b.leave(around, b.chunks[next].Span.Start)
			around = append(around, next)
		}
		around = b.leave(around, at)
		if len(around) == 0 {
			continue
		}
		if c := &b.chunks[around[len(around)-1]]; !slices.Contains(c.Calls, call.Name) {
			c.Calls = append(c.Calls, call.Name)
		}
	}
}

// leave drops from the stack the chunks that end at or before the place.
func (b *builder) leave(around []int, at int) []int {
	for len(around) > 0 && b.chunks[around[len(around)-1]].Span.End <= at {
		around = around[:len(around)-1]
	}
	return around
}

// file numbers duplicates and fills in what depends on the final spans.
func (b *builder) file(language string, outline *syntax.Outline) *File {
	seen := map[string]int{}
	for i := range b.chunks {
		c := &b.chunks[i]
		name := c.QualifiedName()
		c.Ordinal = seen[name]
		seen[name]++
		c.StartLine = b.lines.Line(c.Span.Start)
		c.EndLine = b.lines.Line(max(c.Span.Start, c.Span.End-1))
		h := fnv.New64a()
		h.Write(c.Span.In(b.src))
		c.Hash = h.Sum64()
	}
	f := &File{Language: language, Chunks: b.chunks, Lines: b.lines.Count(), Errors: outline.HasError}
	for _, imp := range outline.Imports {
		f.Imports = append(f.Imports, Import{Path: imp.Path, Name: imp.Name, Line: b.lines.Line(imp.Span.Start)})
	}
	return f
}
