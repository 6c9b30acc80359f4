package chunk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// ErrEncoding marks bytes that Encode of this version did not write.
var ErrEncoding = errors.New("not an encoded file of chunks")

// Encode writes f in a compact form that Decode reads.
func Encode(f *File) []byte {
	w := writer{buf: []byte{Version}}
	w.string(f.Language)
	w.uint(f.Lines)
	w.bool(f.Errors)
	w.bool(f.Generated)
	w.uint(len(f.Imports))
	for _, imp := range f.Imports {
		w.string(imp.Path)
		w.string(imp.Name)
		w.string(imp.Of)
		w.uint(imp.Line)
	}
	w.uint(len(f.Exports))
	for _, e := range f.Exports {
		w.string(e.Name)
		w.string(e.Of)
		w.string(e.Path)
	}
	w.string(f.Manifest)
	w.uint(len(f.Chunks))
	for i := range f.Chunks {
		w.chunk(&f.Chunks[i])
	}
	w.uint(len(f.Inherits))
	for _, h := range f.Inherits {
		w.uint(h.Chunk)
		w.string(h.Subtype)
		w.string(h.Supertype)
		w.string(h.Qualifier)
	}
	w.string(string(f.Symbols))
	w.string(string(f.Types))
	return w.buf
}

type writer struct{ buf []byte }

func (w *writer) uint(n int)      { w.buf = binary.AppendUvarint(w.buf, uint64(n)) }
func (w *writer) string(s string) { w.uint(len(s)); w.buf = append(w.buf, s...) }
func (w *writer) bool(b bool)     { w.uint(map[bool]int{true: 1}[b]) }
func (w *writer) span(base, s Span) {
	if s.Empty() || !base.Covers(s) {
		s = Span{base.Start, base.Start} // none
	}
	w.uint(s.Start - base.Start)
	w.uint(s.End - s.Start)
}

// before writes a span that ends at or before base, or none.
func (w *writer) before(base, s Span) {
	if s.Empty() || s.Start < 0 || s.End > base.Start {
		s = Span{base.Start, base.Start}
	}
	w.uint(base.Start - s.End)
	w.uint(s.End - s.Start)
}

func (w *writer) part(c *Chunk, p *Part) {
	w.uint(p.Span.Start - c.Span.Start)
	w.uint(p.Span.End - p.Span.Start)
	w.before(p.Span, p.Overlap)
	w.uint(p.StartLine)
	w.uint(p.EndLine - p.StartLine)
	w.uint(p.Tokens)
}

func (w *writer) chunk(c *Chunk) {
	w.string(string(c.Type))
	w.string(string(c.Kind))
	w.string(c.Name)
	w.string(c.Container)
	w.uint(c.Ordinal)
	w.uint(c.Span.Start)
	w.uint(c.Span.End - c.Span.Start)
	for _, s := range []Span{c.NameSpan, c.Signature, c.Doc} {
		w.span(c.Span, s)
	}
	w.before(c.Span, c.Overlap)
	w.uint(c.StartLine)
	w.uint(c.EndLine - c.StartLine)
	w.uint(c.Tokens)
	w.uint(len(c.Parts))
	for i := range c.Parts {
		w.part(c, &c.Parts[i])
	}
	w.uint(len(c.Calls))
	for _, call := range c.Calls {
		w.string(call.Name)
		w.string(call.Qualifier)
		w.string(call.On)
		w.string(call.Args)
	}
	w.buf = binary.LittleEndian.AppendUint64(w.buf, c.Hash)
}

// Decode reads what Encode wrote. Its error wraps ErrEncoding.
func Decode(data []byte) (*File, error) { return new(Decoder).Decode(data) }

// A Decoder decodes many files, whose equal strings share their memory. The zero Decoder is ready. It is for one
// goroutine.
type Decoder struct{ names map[string]string }

// The least bytes that the encodings of these take: they bound what a damaged count can make us allocate.
const (
	leastImport = 4
	leastChunk  = 28
)

// Decode is like the function of that name.
func (d *Decoder) Decode(data []byte) (*File, error) {
	if len(data) == 0 || data[0] != Version {
		return nil, fmt.Errorf("%w of version %d", ErrEncoding, Version)
	}
	if d.names == nil {
		d.names = map[string]string{}
	}
	r := reader{buf: data[1:], names: d.names}
	f := &File{Language: r.string(), Lines: r.uint(), Errors: r.uint() == 1, Generated: r.uint() == 1}
	n := r.count()
	f.Imports = slices.Grow(f.Imports, min(n, len(r.buf)/leastImport))
	for ; n > 0 && !r.bad; n-- {
		f.Imports = append(f.Imports, Import{Path: r.string(), Name: r.string(), Of: r.string(), Line: r.uint()})
	}
	for n := r.count(); n > 0 && !r.bad; n-- {
		f.Exports = append(f.Exports, Export{Name: r.string(), Of: r.string(), Path: r.string()})
	}
	f.Manifest = r.string()
	n = r.count()
	f.Chunks = slices.Grow(f.Chunks, min(n, len(r.buf)/leastChunk))
	for ; n > 0 && !r.bad; n-- {
		f.Chunks = append(f.Chunks, r.chunk())
	}
	for n := r.count(); n > 0; n-- {
		h := Inheritance{Chunk: r.uint(), Subtype: r.string(), Supertype: r.string(), Qualifier: r.string()}
		r.bad = r.bad || h.Chunk >= len(f.Chunks)
		f.Inherits = append(f.Inherits, h)
	}
	f.Symbols = SymbolTable(r.bytes())
	f.Types = TypeTable(r.bytes())
	r.bad = r.bad || !f.Symbols.valid(len(f.Chunks))
	if r.bad || len(r.buf) != 0 {
		return nil, fmt.Errorf("%w: damaged", ErrEncoding)
	}
	f.shrink()
	return f, nil
}

// A reader takes values off the front of buf. After the first bad one all are zero.
type reader struct {
	buf   []byte
	bad   bool
	names map[string]string // one copy of every name, however often it occurs
}

// maxNumber bounds every number in an encoding, so that sums of a few of them stay in range.
const maxNumber = 1 << 40

func (r *reader) uint() int {
	n, size := binary.Uvarint(r.buf)
	if size <= 0 || n > maxNumber {
		r.bad, r.buf = true, nil
		return 0
	}
	r.buf = r.buf[size:]
	return int(n)
}

// count reads a number of things that take at least a byte each.
func (r *reader) count() int {
	n := r.uint()
	if n > len(r.buf) {
		r.bad, r.buf = true, nil
		return 0
	}
	return n
}

func (r *reader) string() string {
	b := r.bytes()
	s, ok := r.names[string(b)]
	if !ok {
		s = string(b)
		r.names[s] = s
	}
	return s
}

// bytes returns a part of the buffer.
func (r *reader) bytes() []byte {
	n := r.count()
	b := r.buf[:n]
	r.buf = r.buf[n:]
	return b
}

func (r *reader) span(base Span) Span {
	start := base.Start + r.uint()
	s := Span{start, start + r.uint()}
	if s.Empty() {
		return Span{}
	}
	return s
}

// before reads what writer.before wrote.
func (r *reader) before(base Span) Span {
	end := base.Start - r.uint()
	s := Span{end - r.uint(), end}
	if s.Start < 0 {
		r.bad, r.buf = true, nil
	}
	if s.Empty() || r.bad {
		return Span{}
	}
	return s
}

func (r *reader) part(c *Chunk) Part {
	var p Part
	p.Span.Start = c.Span.Start + r.uint()
	p.Span.End = p.Span.Start + r.uint()
	p.Overlap = r.before(p.Span)
	p.StartLine = r.uint()
	p.EndLine = p.StartLine + r.uint()
	p.Tokens = r.uint()
	return p
}

func (r *reader) chunk() Chunk {
	c := Chunk{Type: Type(r.string()), Kind: Kind(r.string()), Name: r.string(), Container: r.string(), Ordinal: r.uint()}
	c.Span.Start = r.uint()
	c.Span.End = c.Span.Start + r.uint()
	c.NameSpan, c.Signature, c.Doc = r.span(c.Span), r.span(c.Span), r.span(c.Span)
	c.Overlap = r.before(c.Span)
	c.StartLine = r.uint()
	c.EndLine = c.StartLine + r.uint()
	c.Tokens = r.uint()
	for n := r.count(); n > 0; n-- {
		c.Parts = append(c.Parts, r.part(&c))
	}
	n := r.count()
	if n > 0 {
		c.Calls = make([]Call, 0, min(n, len(r.buf)))
	}
	for ; n > 0 && !r.bad; n-- {
		c.Calls = append(c.Calls, Call{Name: r.string(), Qualifier: r.string(), On: r.string(), Args: r.string()})
	}
	if len(r.buf) < 8 {
		r.bad, r.buf = true, nil
		return c
	}
	c.Hash = binary.LittleEndian.Uint64(r.buf)
	r.buf = r.buf[8:]
	return c
}
