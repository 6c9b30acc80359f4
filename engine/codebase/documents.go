package codebase

import (
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/aurora-sidecar/aurora/index/vfs"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A Document is the present text of a file with its chunks and lines.
type Document struct {
	File  *index.File
	Text  []byte
	Lines *text.Lines
}

// A DocumentCache reads the files of one answer, each at most once, so that all hits of a file show the same text.
// It serves one goroutine.
type DocumentCache struct {
	index *index.Index
	own   Buffers              // win over the texts of the index; nil for none
	docs  map[string]*Document // by absolute path
}

// Buffers are texts that one client has and the index has not, since another client has changed the same files after it.
type Buffers interface {
	// File returns the client's own text of the file at a canonical path, with its chunks. ok is false when that is the text
	// of the index.
	File(abs string) (f *index.File, ok bool)
}

// NewDocumentCache returns an empty cache over an index.
func NewDocumentCache(x *index.Index) *DocumentCache {
	return &DocumentCache{index: x, docs: map[string]*Document{}}
}

// Seeing returns the cache, which shows a client's own texts, nil for none, from now on.
func (b *DocumentCache) Seeing(own Buffers) *DocumentCache {
	b.own = own
	return b
}

// ofClient is the client's own text of a file.
func (b *DocumentCache) ofClient(abs string) (*Document, bool) {
	if b.own == nil {
		return nil, false
	}
	file, ok := b.own.File(abs)
	if !ok {
		return nil, false
	}
	doc := &Document{File: file, Text: file.Buffer, Lines: text.NewLines(file.Buffer)}
	b.docs[file.Abs] = doc
	return doc, true
}

// Open returns the present text of the chunk's file and the chunk as it is in that text; ok is false when the file
// or the chunk is gone.
func (b *DocumentCache) Open(ref index.Ref) (doc *Document, fresh index.Ref, ok bool) {
	if doc, ok := b.docs[ref.File.Abs]; ok {
		fresh, ok := sameChunk(doc.File, ref)
		return doc, fresh, ok
	}
	if doc, ok := b.ofClient(ref.File.Abs); ok {
		fresh, ok := sameChunk(doc.File, ref)
		return doc, fresh, ok
	}
	src, fresh, ok := b.index.Read(ref)
	if !ok {
		return nil, ref, false
	}
	doc = &Document{File: fresh.File, Text: src, Lines: text.NewLines(src)}
	b.docs[ref.File.Abs] = doc
	return doc, fresh, true
}

// Prepare reads the files of chunks that will be opened, beside each other.
func (b *DocumentCache) Prepare(refs []index.Ref) {
	var files []index.Ref
	seen := map[string]bool{}
	for _, ref := range refs {
		abs := ref.File.Abs
		if _, known := b.docs[abs]; !known && !seen[abs] && !ref.File.Overlay && b.own == nil {
			seen[abs] = true
			files = append(files, ref)
		}
	}
	if len(files) < 2 {
		return
	}
	docs := make([]*Document, len(files))
	Beside(len(files), func(i int) {
		if src, fresh, ok := b.index.Read(files[i]); ok {
			docs[i] = &Document{File: fresh.File, Text: src, Lines: text.NewLines(src)}
		}
	})
	for i, doc := range docs {
		if doc != nil {
			b.docs[files[i].File.Abs] = doc
		}
	}
}

// Peek returns the text of a chunk as the snapshot has it, without reading the rest of its file. ok is false when that can't be
// had: the file changed since, or its text is not what stands in it byte by byte.
func Peek(snap *index.Snapshot, ref index.Ref) (text []byte, ok bool) {
	span := ref.Chunk().Span
	if ref.File.Overlay {
		return span.In(ref.File.Buffer), span.End <= len(ref.File.Buffer)
	}
	known, ok := snap.Entry(ref.File.Abs)
	if !ok || known.File != ref.File {
		return nil, false
	}
	return vfs.ReadSpan(ref.File.Abs, vfs.Entry{Size: ref.File.Size, ModTime: known.ModTime, Node: known.Node}, span.Start, span.End)
}

// sameChunk finds the chunk of ref in a version of its file.
func sameChunk(file *index.File, ref index.Ref) (index.Ref, bool) {
	if file == ref.File || file.File == ref.File.File {
		return index.Ref{File: file, Index: ref.Index}, true
	}
	want := ref.Chunk()
	for i := range file.Chunks {
		c := &file.Chunks[i]
		if c.Ordinal == want.Ordinal && c.Name == want.Name && c.Container == want.Container {
			return index.Ref{File: file, Index: i}, true
		}
	}
	return ref, false
}

// At returns the present text of the file at an absolute path. A file that is open or lies in the workspace but is not
// indexed (yet) has no chunks. ok is false when there is no such text.
func (b *DocumentCache) At(snap *index.Snapshot, abs string) (doc *Document, ok bool) {
	file, known := snap.File(abs)
	if known {
		if doc, ok := b.docs[file.Abs]; ok {
			return doc, true
		}
	}
	at := abs
	if known {
		at = file.Abs
	}
	if doc, ok := b.ofClient(at); ok {
		return doc, true
	}
	if known && len(file.Chunks) > 0 {
		if doc, _, ok := b.Open(index.Ref{File: file}); ok {
			return doc, true
		}
	}
	src, err := b.index.Text(abs)
	if err != nil {
		return nil, false
	}
	bare := &index.File{Abs: abs, Path: abs, File: &chunk.File{}}
	if known {
		bare.Folder, bare.Path, bare.Abs, bare.Language = file.Folder, file.Path, file.Abs, file.Language
	}
	doc = &Document{File: bare, Text: src, Lines: text.NewLines(src)}
	b.docs[bare.Abs] = doc
	return doc, true
}

// Excerpt returns the text of a span, cut to the document.
func (d *Document) Excerpt(start, end int) string {
	start, end = max(0, min(start, len(d.Text))), max(0, min(end, len(d.Text)))
	if end < start {
		return ""
	}
	return string(d.Text[start:end])
}

func (d *Document) RangeOf(s chunk.Span) *text.Range {
	return &text.Range{Start: d.Lines.Position(s.Start), End: d.Lines.Position(s.End)}
}
