package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/aurora-sidecar/aurora/internal/mapfile"
)

// The fixed parts of the format, see the package comment.
const (
	magic         = "AURVEC\r\n"
	formatVersion = 1
	summedFrom    = len(magic) + 8
	headerSize    = summedFrom + 3*4

	maxDocs       = math.MaxInt32 - 1
	maxDimensions = 4096 // so that a product of two vectors fits an int32
	maxSpace      = 1 << 10
)

// What Open says of bytes that it refuses; errors.Is tells them apart. The way out is the same for both: build the
// segment again.
var (
	ErrDamaged = errors.New("vector segment is damaged")
	ErrVersion = errors.New("vector segment has another format version")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Segment is an immutable list of documents, numbered from 0, each with a vector or none. It lives in one flat buffer,
// on the heap or in a mapped file. It may be used by many goroutines at once.
type Segment struct {
	buf   []byte
	space string
	docs  int
	dims  int
	words int    // u64 of signs per document
	signs []byte // the sections of the format
	norms []byte
	rows  []byte

	file *mapfile.Mapping // that buf lies in; nil for a segment on the heap
	lost atomic.Bool      // the file can't be read any more
}

// Open returns the segment that data holds. It keeps data, which must not change while the segment is in use. Data that
// Bytes did not produce gives ErrDamaged or ErrVersion.
func Open(data []byte) (*Segment, error) {
	sum, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	if sum != crc32.Checksum(data[summedFrom:], castagnoli) {
		return nil, fmt.Errorf("open vector segment: checksum does not match: %w", ErrDamaged)
	}
	return open(data)
}

// readHeader returns the checksum that data names.
func readHeader(data []byte) (sum uint32, err error) {
	if len(data) < headerSize || string(data[:len(magic)]) != magic {
		return 0, fmt.Errorf("open vector segment: no header: %w", ErrDamaged)
	}
	le := binary.LittleEndian
	if v := le.Uint32(data[len(magic):]); v != formatVersion {
		return 0, fmt.Errorf("open vector segment: version %d, want %d: %w", v, formatVersion, ErrVersion)
	}
	return le.Uint32(data[len(magic)+4:]), nil
}

// open returns the segment in data whose checksum is right.
func open(data []byte) (*Segment, error) {
	s, ok := parse(data)
	if !ok {
		return nil, fmt.Errorf("open vector segment: sections do not fill %d bytes: %w", len(data), ErrDamaged)
	}
	return s, nil
}

// parse cuts data into its sections and reports whether they fill it exactly.
func parse(data []byte) (*Segment, bool) {
	le := binary.LittleEndian
	docs, dims, space := le.Uint32(data[summedFrom:]), le.Uint32(data[summedFrom+4:]), le.Uint32(data[summedFrom+8:])
	if docs > maxDocs || dims > maxDimensions || space > maxSpace {
		return nil, false
	}
	s := &Segment{buf: data, docs: int(docs), dims: int(dims), words: (int(dims) + 63) / 64}
	from := signsAt(int(space))
	signs, norms := 8*s.words*s.docs, 4*s.docs
	if len(data) != from+signs+norms+s.docs*s.dims {
		return nil, false
	}
	s.space = string(data[headerSize : headerSize+int(space)])
	s.signs = data[from : from+signs]
	s.norms = data[from+signs : from+signs+norms]
	s.rows = data[from+signs+norms:]
	return s, true
}

// signBytes returns how many bytes the signs of a document take.
func signBytes(dims int) int { return 8 * ((dims + 63) / 64) }

// signsAt returns where the signs begin behind a space of that many bytes.
func signsAt(space int) int { return (headerSize + space + 7) &^ 7 }

// Bytes returns the segment's buffer, for writing to a file. The caller must not change it, and must hold the segment for as
// long as it uses the buffer.
func (s *Segment) Bytes() []byte { return s.buf }

// Docs returns the number of documents, those without a vector included.
func (s *Segment) Docs() int { return s.docs }

// Space tells whose vectors these are: the ID of their embedder.
func (s *Segment) Space() string { return s.space }

// Vector appends the vector of a document to dst and returns it; dst itself when the document has none or is not there.
func (s *Segment) Vector(dst []int8, doc uint32) []int8 {
	if int64(doc) >= int64(s.docs) {
		return dst
	}
	made := dst
	if !guard(func() bool { made = s.appendVector(dst, int(doc)); return true }, s) {
		return dst
	}
	return made
}

func (s *Segment) appendVector(dst []int8, doc int) []int8 {
	if s.norm(doc) == 0 {
		return dst
	}
	for _, b := range s.row(doc) {
		dst = append(dst, int8(b))
	}
	return dst
}

// Cosines appends to dst the cosines, -1..1, of v with n documents from the first on; 0 for one that has no vector, is not there, or
// has vectors of another length.
func (s *Segment) Cosines(dst []float64, v []int8, first, n int) []float64 {
	from := len(dst)
	dst = append(dst, make([]float64, n)...)
	norm := 0.0
	for _, x := range v {
		norm += float64(int(x) * int(x))
	}
	if len(v) != s.dims || norm == 0 {
		return dst
	}
	list := dst[from : from+max(0, min(n, s.docs-first))]
	norm = math.Sqrt(norm)
	if !guard(func() bool {
		for i := range list {
			if own := s.norm(first + i); own != 0 {
				list[i] = float64(dot(v, s.row(first+i))) / (norm * math.Sqrt(float64(own)))
			}
		}
		return true
	}, s) {
		clear(list)
	}
	return dst
}

// guard calls f, which reads the segments, and reports whether it could, as far as f itself knows, too. When the files of
// some can't be read, these are lost. The segments stay mapped until f returns.
func guard(f func() bool, segments ...*Segment) bool {
	mapped := false
	for _, s := range segments {
		if s.Lost() {
			return false
		}
		mapped = mapped || s.Mapped()
	}
	ok := false
	if !mapped {
		ok = f()
	} else if !mapfile.Guard(func() { ok = f() }) || !ok {
		ok = false
		for _, s := range segments {
			s.lost.Store(s.Mapped())
		}
	}
	runtime.KeepAlive(segments)
	return ok
}

func (s *Segment) row(doc int) []byte { return s.rows[doc*s.dims:][:s.dims:s.dims] }

func (s *Segment) norm(doc int) uint32 { return binary.LittleEndian.Uint32(s.norms[4*doc:]) }
