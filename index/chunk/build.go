package chunk

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime/debug"
	"slices"

	"github.com/aurora-sidecar/aurora/index/syntax"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// Version grows whenever the same text would be cut differently, so that what was stored before is not used. It also
// covers the queries of package syntax.
const Version = 20

// Text is the Language of files that have no grammar.
const Text = "text"

// Analyze parses a text and cuts it into chunks. A text that the grammar can't take is cut by its paragraphs instead;
// err then says why, and the file is right all the same. Without a language (nil) that is no error.
func Analyze(lang *syntax.Language, src []byte) (*File, error) {
	if lang == nil {
		return BuildText(src), nil
	}
	return Contain(lang.Name, src, func() (*File, error) {
		out, err := syntax.Parse(lang, src)
		if err != nil {
			return Unparsed(lang.Name, src), err
		}
		return Build(lang.Name, src, out), nil
	})
}

// Unparsed cuts a text by its paragraphs that should have been parsed.
func Unparsed(lang string, src []byte) *File {
	f := BuildText(src)
	f.Language, f.Errors = lang, true
	return f
}

// ErrPanic marks a text on which parsing or cutting panicked: a bug of ours, contained to its file.
var ErrPanic = errors.New("parsing panicked")

// Contain calls make, which is to cut src. When it panics, the file is cut by its paragraphs, and the error wraps
// ErrPanic and holds the stack.
func Contain(lang string, src []byte, make func() (*File, error)) (f *File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f = Unparsed(lang, src)
			err = fmt.Errorf("%w: %v\n%s", ErrPanic, r, debug.Stack())
		}
	}()
	return make()
}

// Build cuts src along its outline: a chunk for every definition that is not inside a function, and
// remainders for what lies between them. The offsets of the outline must fit src.
func Build(lang string, src []byte, out *syntax.Outline) *File {
	b := newBuilder(lang, src)
	b.blocks = out.Blocks
	b.file.Errors = out.HasError
	b.doc = Span(out.Doc)
	roots := b.addDefinitions(out.Definitions)
	if !out.Sparse {
		b.addRemainders(roots)
	}
	b.finish()
	b.addSymbols(out)
	flow := newFlow(b.file, src, out.Bindings)
	b.assignCalls(out.Calls, newReceivers(b.file, src, out.Imports), flow)
	b.file.Types = flow.facts(out.Definitions, b.assignInherits(out.Inherits))
	for _, imp := range out.Imports {
		b.file.Imports = append(b.file.Imports, Import{Path: imp.Path, Name: imp.Name, Of: imp.Of, Line: b.lines.Line(imp.Span.Start)})
	}
	b.file.Exports = out.Exports
	b.file.Manifest = manifest(lang, src)
	b.file.shrink()
	return b.file
}

// shrink gives back what growing lists took in advance: a file is kept for long, and most of it is lists.
func (f *File) shrink() {
	f.Chunks = exactly(f.Chunks)
	f.Imports = exactly(f.Imports)
	f.Exports = exactly(f.Exports)
	f.Inherits = exactly(f.Inherits)
	for i := range f.Chunks {
		f.Chunks[i].Calls = exactly(f.Chunks[i].Calls)
	}
}

// exactly returns a list without room for more.
func exactly[T any](list []T) []T {
	if cap(list) == len(list) {
		return list
	}
	return append(make([]T, 0, len(list)), list...)
}

// BuildText cuts a text without a grammar into paragraphs of readable size.
func BuildText(src []byte) *File {
	b := newBuilder(Text, src)
	b.addStretches(Span{0, len(src)}, maxBytes, Chunk{Type: Code, Kind: KindParagraph})
	b.finish()
	b.file.Manifest = goManifest(src)
	return b.file
}

type builder struct {
	src    []byte
	lines  *text.Lines
	blocks []syntax.Span
	doc    Span // of the file itself
	file   *File
}

func newBuilder(lang string, src []byte) *builder {
	lines := text.NewLines(src)
	return &builder{src: src, lines: lines, file: &File{Language: lang, Lines: lines.Count(), Generated: generated(src)}}
}

// A root is a definition that lies in no other one, and its chunk.
type root struct {
	span        Span
	first, last int // of its chunks, as long as they are not sorted; -1 for a section
}

// addDefinitions makes chunks of definitions and returns the roots in order.
func (b *builder) addDefinitions(definitions []syntax.Definition) (roots []root) {
	for i := range definitions {
		d := &definitions[i]
		before := len(b.file.Chunks)
		switch {
		case d.Kind == syntax.Section:
			b.addSection(definitions, i)
		case d.Kind == syntax.Block && !hasChild(definitions, i):
			b.addStretches(Span(d.Span), maxBytes, b.fromDefinition(d))
		case !insideFunction(definitions, d):
			b.file.Chunks = append(b.file.Chunks, b.fromDefinition(d))
		}
		if d.Parent < 0 && d.Kind == syntax.Section {
			roots = append(roots, root{Span(d.Span), -1, -1})
		} else if d.Parent < 0 {
			roots = append(roots, root{Span(d.Span), before, len(b.file.Chunks) - 1})
		}
	}
	return roots
}

// insideFunction reports whether the innermost definition around d is a function or method: then d stays a part of
// its chunk, a Local, unless it is a class, which people look for by name.
func insideFunction(definitions []syntax.Definition, d *syntax.Definition) bool {
	if d.Parent < 0 || d.Kind == syntax.Class {
		return false
	}
	kind := definitions[d.Parent].Kind
	return kind == syntax.Function || kind == syntax.Method
}

// hasChild reports whether another definition lies in the i-th one.
func hasChild(definitions []syntax.Definition, i int) bool {
	return i+1 < len(definitions) && definitions[i+1].Parent == i
}

func (b *builder) fromDefinition(d *syntax.Definition) Chunk {
	c := Chunk{
		Type:      Function,
		Kind:      KindFunction,
		Name:      d.Name,
		Container: d.Container,
		Span:      Span(d.Span),
		NameSpan:  orNone(d.NameSpan),
		Signature: orNone(d.Signature),
		Doc:       orNone(d.Doc),
	}
	switch d.Kind {
	case syntax.Method:
		c.Type = Method
	case syntax.Class:
		c.Type, c.Kind = Class, KindClass
	case syntax.Section:
		c.Type, c.Kind = Code, KindSection
		if b.file.Language == "dockerfile" {
			c.Kind = KindBlock
		}
	case syntax.Block:
		c.Type, c.Kind = Code, blockKind(b.file.Language)
	}
	return c
}

// orNone is the zero Span for one that covers nothing, wherever it stands: encoding keeps no other.
func orNone(s syntax.Span) Span {
	if s.Empty() {
		return Span{}
	}
	return Span(s)
}

// blockKind is the kind of what a name labels in a language.
func blockKind(language string) Kind {
	switch language {
	case "yaml":
		return KindYAML
	case "sql":
		return KindSQL
	}
	return KindBlock
}

// addSection makes chunks of the section's own text, which ends where its first subsection begins: unlike a class,
// a chapter is no stretch that anyone wants whole.
func (b *builder) addSection(definitions []syntax.Definition, i int) {
	c := b.fromDefinition(&definitions[i])
	for j := i + 1; j < len(definitions) && Span(definitions[j].Span).Start < c.Span.End; j++ {
		if definitions[j].Kind == syntax.Section {
			c.Span.End = definitions[j].Span.Start
		}
	}
	b.addStretches(c.Span, maxSection, c)
}

// finish puts the chunks in order and fills in what depends on their final spans.
func (b *builder) finish() {
	b.file.Chunks = slices.Clone(b.file.Chunks) // without the room to grow: files are kept for long
	chunks := b.file.Chunks
	slices.SortStableFunc(chunks, func(x, y Chunk) int {
		return cmp.Or(cmp.Compare(x.Span.Start, y.Span.Start), cmp.Compare(y.Span.End, x.Span.End))
	})
	seen := make(map[string]int, len(chunks))
	for i := range chunks {
		c := &chunks[i]
		name := c.QualifiedName()
		c.Ordinal = seen[name]
		seen[name]++
		c.StartLine = b.lines.Line(c.Span.Start)
		c.EndLine = b.lines.Line(max(c.Span.Start, c.Span.End-1))
		c.Hash = hash(c.Span.In(b.src))
		c.Tokens = tokens(c.Span)
		if c.Kind == KindFunction {
			b.split(c)
		}
	}
}

// hash is 64-bit FNV-1a, which is the same on every machine and in every run.
func hash(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	return h.Sum64()
}

// assignCalls gives every call to the innermost chunk that holds it, so that a class does not seem to call what its
// methods call.
func (b *builder) assignCalls(calls []syntax.Call, receivers *receivers, flow *flow) {
	chunks := b.file.Chunks
	var open []int // chunks around the present call, innermost last
	next := 0
	of := -1                 // the chunk that the last call went to
	known := map[Call]bool{} // the calls it has
	for _, call := range calls {
		for ; next < len(chunks) && chunks[next].Span.Start <= call.Span.Start; next++ {
			open = append(open, next)
		}
		for len(open) > 0 && chunks[open[len(open)-1]].Span.End <= call.Span.Start {
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			continue
		}
		i := open[len(open)-1]
		if i != of {
			of = i
			receivers.enter(&chunks[i])
			clear(known)
			for _, c := range chunks[i].Calls {
				known[c] = true
			}
		}
		c := Call{Name: call.Name, Qualifier: receivers.qualifier(call.Qualifier)}
		c.On, c.Qualifier = flow.on(call, c.Qualifier, &chunks[i])
		if isParameter(flow, call) {
			c.On, c.Qualifier = elsewhere, Unknown
		}
		c.Args = flow.arguments(call, &chunks[i])
		if !known[c] {
			known[c] = true
			chunks[i].Calls = append(chunks[i].Calls, c)
		}
	}
}

// assignInherits gives every supertype to the chunk of its subtype: the class around it, else the one of that name in
// the file, else the chunk at or behind the place.
func (b *builder) assignInherits(inherits []syntax.Inheritance) (given []givenSupertype) {
	for _, h := range inherits {
		if i := b.subtype(h); i >= 0 {
			given = append(given, givenSupertype{&b.file.Chunks[i], h.Supertype, Span(h.Span)})
			b.file.Inherits = append(b.file.Inherits, Inheritance{
				Chunk: i, Subtype: h.Subtype, Supertype: h.Supertype, Qualifier: h.Qualifier,
			})
		}
	}
	return given
}

func (b *builder) subtype(h syntax.Inheritance) int {
	named, at := -1, -1
	for i := range b.file.Chunks {
		c := &b.file.Chunks[i]
		if c.Type == Class && c.Name == h.Subtype {
			if c.Span.Contains(h.Span.Start) {
				return i
			}
			if named < 0 {
				named = i
			}
		}
		if at < 0 && c.Span.End > h.Span.Start && c.Type != Class {
			at = i
		}
	}
	if named >= 0 {
		return named
	}
	return at
}
