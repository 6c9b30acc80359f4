package embed

import (
	"github.com/aurora-sidecar/aurora/index/chunk"
)

// maxDoc is how many bytes of a chunk's documentation are embedded: enough for what it says first, and little enough to
// leave room for the code among the tokens that count.
const maxDoc = 600

// Text returns the text by which chunk i of f is embedded: its name twice, the code that is its own, then the beginning of
// its documentation. src is what f's spans are places in. The doubled name and the order were measured, see
// docs/embeddings.md.
func Text(f *chunk.File, i int, src []byte) []byte { return AppendText(nil, f, i, src) }

// AppendText appends the Text of a chunk to dst.
func AppendText(dst []byte, f *chunk.File, i int, src []byte) []byte {
	c := &f.Chunks[i]
	if c.Name != "" {
		dst = append(dst, c.Name...)
		dst = append(dst, ' ')
		dst = append(dst, c.Name...)
		dst = append(dst, '\n')
	}
	if doc := c.Doc.In(src); len(doc) > 0 {
		dst = append(dst, doc[:min(len(doc), maxDoc)]...)
		dst = append(dst, '\n')
	}
	return appendCode(dst, f, i, src)
}

// Code returns the code that belongs to chunk i of f and to no chunk inside it, without its documentation.
func Code(f *chunk.File, i int, src []byte) []byte { return appendCode(nil, f, i, src) }

func appendCode(dst []byte, f *chunk.File, i int, src []byte) []byte {
	doc := f.Chunks[i].Doc
	for _, own := range chunk.OwnSpans(f, i) {
		before, after := chunk.Span{Start: own.Start, End: min(own.End, doc.Start)}, chunk.Span{Start: max(own.Start, doc.End), End: own.End}
		if doc.Empty() || doc.End <= own.Start || own.End <= doc.Start {
			before, after = own, chunk.Span{}
		}
		dst = append(dst, before.In(src)...)
		dst = append(dst, after.In(src)...)
	}
	return dst
}
