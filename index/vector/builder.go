package vector

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// A Builder gathers the vectors of one segment. It is for one goroutine.
type Builder struct {
	space string
	dims  int
	docs  int
	signs []byte
	norms []byte
	rows  []byte
}

// NewBuilder returns a Builder for vectors of a space, which is the ID of their embedder: at most 1,024 bytes, and 1 to
// 4,096 dimensions.
func NewBuilder(space string, dims int) (*Builder, error) {
	if len(space) > maxSpace || dims < 1 || dims > maxDimensions {
		return nil, fmt.Errorf("build vector segment: space of %d bytes and %d dimensions: at most %d and 1 to %d are possible", len(space), dims, maxSpace, maxDimensions)
	}
	return &Builder{space: space, dims: dims}, nil
}

// Add gives document doc a vector; an empty one means none. Documents come in ascending order, the ones left out have no
// vector, and the last one added is the last of the segment. A vector of another length or a document out of order is an
// error and changes nothing.
func (b *Builder) Add(doc int, v []int8) error {
	if doc < b.docs || doc >= maxDocs || len(v) != 0 && len(v) != b.dims {
		return fmt.Errorf("add vector: document %d of %d dimensions, want document %d or later and %d dimensions", doc, len(v), b.docs, b.dims)
	}
	for b.docs < doc {
		b.append(nil)
	}
	b.append(v)
	return nil
}

// append adds the next document.
func (b *Builder) append(v []int8) {
	at := len(b.signs)
	b.signs = append(b.signs, make([]byte, signBytes(b.dims))...)
	b.rows = append(b.rows, make([]byte, b.dims)...)
	row := b.rows[len(b.rows)-b.dims:]
	norm := 0
	for i, x := range v {
		row[i] = byte(x)
		norm += int(x) * int(x)
		if x > 0 {
			b.signs[at+i/8] |= 1 << (i % 8) // little-endian words: byte by byte is the same
		}
	}
	b.norms = binary.LittleEndian.AppendUint32(b.norms, uint32(norm))
	b.docs++
}

// Build returns the segment of the documents added so far and empties the Builder.
func (b *Builder) Build() *Segment {
	le := binary.LittleEndian
	from := signsAt(len(b.space))
	buf := make([]byte, 0, from+len(b.signs)+len(b.norms)+len(b.rows))
	buf = append(buf, magic...)
	buf = le.AppendUint32(buf, formatVersion)
	buf = le.AppendUint32(buf, 0) // checksum, once the rest is there
	buf = le.AppendUint32(buf, uint32(b.docs))
	buf = le.AppendUint32(buf, uint32(b.dims))
	buf = le.AppendUint32(buf, uint32(len(b.space)))
	buf = append(buf, b.space...)
	buf = append(buf, make([]byte, from-len(buf))...)
	buf = append(buf, b.signs...)
	buf = append(buf, b.norms...)
	buf = append(buf, b.rows...)
	le.PutUint32(buf[len(magic)+4:], crc32.Checksum(buf[summedFrom:], castagnoli))
	b.docs, b.signs, b.norms, b.rows = 0, nil, nil, nil
	s, _ := parse(buf) // what was just laid out fills the buffer
	return s
}

// Merge returns one segment of the live documents of all views, in order of view and document, as lexical.Merge numbers
// them. A view of another space than the first one's counts as one without vectors. It returns nil when the file of one of
// them can't be read any more.
func Merge(views []View) *Segment {
	b := &Builder{dims: 1}
	var segments []*Segment
	for _, v := range views {
		if v.Seg != nil {
			segments = append(segments, v.Seg)
		}
	}
	if !guard(func() bool { b.merge(views); return true }, segments...) {
		return nil
	}
	return b.Build()
}

// merge adds the live documents of all views.
func (b *Builder) merge(views []View) {
	docs := 0
	for _, v := range views {
		if v.Seg == nil {
			continue
		}
		if b.space == "" {
			b.space, b.dims = v.Seg.space, v.Seg.dims
		}
		docs += v.live()
	}
	b.signs, b.norms, b.rows = make([]byte, 0, docs*signBytes(b.dims)), make([]byte, 0, 4*docs), make([]byte, 0, docs*b.dims)
	for _, v := range views {
		if v.Seg == nil {
			continue
		}
		for doc := range v.Seg.docs {
			switch {
			case v.isDead(doc):
			case v.Seg.space == b.space && v.Seg.dims == b.dims:
				b.copy(v.Seg, doc)
			default:
				b.append(nil)
			}
		}
	}
}

// copy adds a document of a segment of the same space.
func (b *Builder) copy(s *Segment, doc int) {
	b.signs = append(b.signs, s.signs[8*s.words*doc:8*s.words*(doc+1)]...)
	b.norms = append(b.norms, s.norms[4*doc:4*doc+4]...)
	b.rows = append(b.rows, s.row(doc)...)
	b.docs++
}
