package embed

import (
	"path"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// Text returns the text by which chunk i of the file at a path is embedded: the name of the file's folder, twice its own
// name without the extension, what the chunk lies in, twice its name, and the code that is its own, without
// documentation. src is what f's spans are places in; the path has slashes and is relative to the workspace folder.
//
// What is doubled and what is left out was measured, see docs/embeddings.md: names say more than code does, and
// documentation is better matched by its words.
func Text(file string, f *chunk.File, i int, src []byte) []byte {
	return AppendText(nil, file, f, i, src)
}

// AppendText appends the Text of a chunk to dst.
func AppendText(dst []byte, file string, f *chunk.File, i int, src []byte) []byte {
	c := &f.Chunks[i]
	folder, base := path.Split(file)
	stem := strings.TrimSuffix(base, path.Ext(base))
	for _, name := range [...]string{path.Base(folder), stem, stem, c.Container, c.Name, c.Name} {
		if name != "" && name != "." {
			dst = append(append(dst, name...), '\n')
		}
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
