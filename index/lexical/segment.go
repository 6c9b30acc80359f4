package lexical

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"sync/atomic"
)

// The fixed parts of the format, see the package comment.
const (
	magic         = "AURLEX\r\n"
	formatVersion = 1
	summedFrom    = len(magic) + 8    // the checksum covers everything from here
	sizesFrom     = summedFrom + 8    // the two namespaces' sizes
	headerSize    = sizesFrom + 2*4*8 // all of it
	lengthsPerDoc = scored * 4        // bytes of the lengths section per document
	maxDocs       = math.MaxInt32 - 1 // so that a document fits an int32 and -1 is none
)

// What Open says of bytes that it refuses; errors.Is tells them apart. The way out is the same for both: build the
// segment again.
var (
	ErrDamaged = errors.New("segment is damaged")
	ErrVersion = errors.New("segment has another format version")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Segment is an immutable set of documents, numbered from 0, with their postings. It lives in one flat buffer
// and adds 8 bytes per document to the heap at its first search. It may be used by many goroutines at once.
type Segment struct {
	buf     []byte
	docs    uint32
	totals  [scored]uint64 // tokens of each field over all documents
	lengths []byte
	words   dictionary
	calls   dictionary
	norms   atomic.Pointer[norms]
	need    func(from, to int) bool // see Open; nil when all of buf is there
}

// norms are the documents' lengths under one set of field weights.
type norms struct {
	weights [NumFields]float64
	lengths []float64
}

// Open returns the segment that data holds, a buffer that fills itself: before bytes from (inclusive) to (exclusive) are
// looked at, need is called, unless it is nil. It may be called by several goroutines at once, and reports whether they are
// there now; when they can't be had, the terms that they are about are found nowhere. Open keeps data, which must not change
// (and, when mapped, not be unmapped) while the segment is in use. What Bytes did not produce gives ErrDamaged or ErrVersion.
// The caller vouches for the rest of the bytes: their checksum is not compared.
func Open(data []byte, need func(from, to int) bool) (*Segment, error) {
	if len(data) < headerSize || need != nil && !need(0, headerSize) || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("open segment: no header: %w", ErrDamaged)
	}
	le := binary.LittleEndian
	if v := le.Uint32(data[len(magic):]); v != formatVersion {
		return nil, fmt.Errorf("open segment: version %d, want %d: %w", v, formatVersion, ErrVersion)
	}
	if docs, fields := le.Uint32(data[summedFrom:]), le.Uint32(data[summedFrom+4:]); fields != uint32(scored) || docs > maxDocs {
		return nil, fmt.Errorf("open segment: %d documents of %d fields: %w", docs, fields, ErrDamaged)
	}
	s, ok := parse(data, need)
	if !ok {
		return nil, fmt.Errorf("open segment: sections do not fill %d bytes: %w", len(data), ErrDamaged)
	}
	return s, nil
}

// parse cuts data into the sections that its header names and reports whether they fill it exactly.
func parse(data []byte, need func(from, to int) bool) (*Segment, bool) {
	le := binary.LittleEndian
	s := &Segment{buf: data, docs: le.Uint32(data[summedFrom:]), need: need}
	rest := reader{data: data[headerSize:]}
	s.lengths = rest.bytes(uint64(s.docs) * uint64(lengthsPerDoc))
	there := s.have(headerSize, len(s.lengths))
	sizes := data[sizesFrom:headerSize]
	for i, d := range []*dictionary{&s.words, &s.calls} {
		size := sizes[i*4*8:]
		d.terms = le.Uint64(size)
		at := len(data) - len(rest.data)
		d.index = rest.bytes(le.Uint64(size[8:]))
		there = there && s.have(at, len(d.index))
		d.blocks = rest.bytes(le.Uint64(size[16:]))
		d.postings = rest.bytes(le.Uint64(size[24:]))
		d.have, d.blocksAt = s.have, at+len(d.index)
	}
	if rest.bad || len(rest.data) > 0 || !there {
		return nil, false
	}
	for i := 0; i < len(s.lengths); i += 4 {
		s.totals[i/4%scored] += uint64(le.Uint32(s.lengths[i:]))
	}
	return s, true
}

// have makes sure that the n bytes from at on are there.
func (s *Segment) have(at, n int) bool { return s.need == nil || n == 0 || s.need(at, at+n) }

// Load makes sure that all of the segment is in memory, and reports whether it is.
func (s *Segment) Load() bool { return s.have(0, len(s.buf)) }

// checksum returns the CRC-32C of everything after the checksum itself.
func checksum(data []byte) uint32 { return crc32.Checksum(data[summedFrom:], castagnoli) }

// assemble lays out a segment of the documents with the given lengths section.
func assemble(docs uint32, lengths []byte, words, calls *dictionaryWriter) *Segment {
	le := binary.LittleEndian
	size := headerSize + len(lengths)
	for _, w := range []*dictionaryWriter{words, calls} {
		size += len(w.index) + len(w.blocks) + len(w.postings)
	}
	buf := make([]byte, 0, size)
	buf = append(buf, magic...)
	buf = le.AppendUint32(buf, formatVersion)
	buf = le.AppendUint32(buf, 0) // checksum, once the rest is there
	buf = le.AppendUint32(buf, docs)
	buf = le.AppendUint32(buf, uint32(scored))
	for _, w := range []*dictionaryWriter{words, calls} {
		buf = le.AppendUint64(buf, w.terms)
		buf = le.AppendUint64(buf, uint64(len(w.index)))
		buf = le.AppendUint64(buf, uint64(len(w.blocks)))
		buf = le.AppendUint64(buf, uint64(len(w.postings)))
	}
	buf = append(buf, lengths...)
	for _, w := range []*dictionaryWriter{words, calls} {
		buf = append(buf, w.index...)
		buf = append(buf, w.blocks...)
		buf = append(buf, w.postings...)
	}
	le.PutUint32(buf[len(magic)+4:], checksum(buf))
	s, _ := parse(buf, nil) // what was just laid out fills the buffer
	return s
}

// Bytes returns the segment's buffer, for writing to a file. The caller must not change it. What Load could not get of it
// is zero.
func (s *Segment) Bytes() []byte {
	s.Load()
	return s.buf
}

// Docs returns the number of documents.
func (s *Segment) Docs() int { return int(s.docs) }

// Terms returns the number of distinct tokens over the scored fields.
func (s *Segment) Terms() int { return int(s.words.terms) }

// EachTerm yields the tokens of the scored fields that start with prefix, in byte order, with the number of
// documents that hold each, until yield returns false. The token is only valid during the call.
func (s *Segment) EachTerm(prefix string, yield func(term []byte, docs int) bool) {
	start := []byte(prefix)
	for it := s.words.seek(start); it.next(); {
		switch c := comparePrefix(it.term, start); {
		case c > 0:
			return
		case c == 0 && !yield(it.term, it.entry.df):
			return
		}
	}
}

// comparePrefix orders term before, inside (0) or after the terms that start with prefix.
func comparePrefix(term, prefix []byte) int {
	n := commonPrefix(term, prefix)
	switch {
	case n == len(prefix):
		return 0
	case n == len(term) || term[n] < prefix[n]:
		return -1
	}
	return 1
}

// weightedLengths returns each document's length with every field counted by its weight. The last weights asked
// for are kept.
func (s *Segment) weightedLengths(weights [NumFields]float64) []float64 {
	if n := s.norms.Load(); n != nil && n.weights == weights {
		return n.lengths
	}
	n := &norms{weights: weights, lengths: make([]float64, s.docs)}
	for doc := range n.lengths {
		at := s.lengths[doc*lengthsPerDoc:]
		for f := range scored {
			n.lengths[doc] += weights[f] * float64(binary.LittleEndian.Uint32(at[4*f:]))
		}
	}
	s.norms.Store(n)
	return n.lengths
}
