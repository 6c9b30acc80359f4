package sentence

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strings"

	"github.com/aurora-sidecar/aurora/index/embed"
)

const (
	magic         = "AURSEN\r\n"
	formatVersion = 1
	summedFrom    = len(magic) + 8
	maxWidth      = 4096
	maxSubwords   = 1 << 18
)

// ErrDamaged says that bytes are no model, or not all of one.
var ErrDamaged = errors.New("sentence model is damaged")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Shape is how large the parts of a model are.
type Shape struct {
	Subwords, Width, Layers, Heads, Inner, Positions int
}

// A Model turns texts into vectors. It is for any number of goroutines.
type Model struct {
	sum        uint32 // checksum of its bytes
	shape      Shape
	names      []string
	subwords   map[string]int32
	words      matrix
	positions  matrix
	norm       layerNorm
	layers     []layer
	begin, end int32
	unknown    int32
}

// ID returns the identity of the model's vectors. They are of other bytes when the checksum is another.
func (m *Model) ID() embed.ID {
	return embed.ID{Model: "aurora-sentence", Version: "1", Dimensions: m.shape.Width, Fingerprint: m.sum}
}

// Has tells whether a text can be cut into this subword.
func (m *Model) Has(subword string) bool {
	_, has := m.subwords[subword]
	return has
}

// A matrix has a scale for each row of integers.
type matrix struct {
	rows, cols int
	scales     []float32
	values     []byte // int8
}

func (m *matrix) row(i int) []byte { return m.values[i*m.cols : (i+1)*m.cols] }

// A dense is a matrix and what is added to its product.
type dense struct {
	matrix
	bias []float32
}

// A layerNorm is a layer normalisation (Ba, Kiros and Hinton 2016).
type layerNorm struct{ weight, bias []float32 }

// A layer is one of the transformer's encoder (Vaswani et al. 2017).
type layer struct {
	query, key, value, output dense
	attended                  layerNorm
	in, out                   dense
	done                      layerNorm
}

// Open returns the model that data holds. It keeps data, which must not change. Other data gives ErrDamaged.
func Open(data []byte) (*Model, error) {
	if len(data) < summedFrom || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("no header in %d bytes: %w", len(data), ErrDamaged)
	}
	le := binary.LittleEndian
	if v := le.Uint32(data[len(magic):]); v != formatVersion {
		return nil, fmt.Errorf("version %d, want %d: %w", v, formatVersion, ErrDamaged)
	}
	if le.Uint32(data[len(magic)+4:]) != crc32.Checksum(data[summedFrom:], castagnoli) {
		return nil, fmt.Errorf("checksum does not match: %w", ErrDamaged)
	}
	return read(data)
}

// read is Open of bytes whose header and checksum are known to be right.
func read(data []byte) (*Model, error) {
	r := reader{rest: data[summedFrom:]}
	m := &Model{sum: binary.LittleEndian.Uint32(data[len(magic)+4:]), shape: Shape{Subwords: r.number(maxSubwords), Width: r.number(maxWidth), Layers: r.number(64), Heads: r.number(64), Inner: r.number(4 * maxWidth), Positions: r.number(maxWidth)}}
	names := strings.Split(string(r.bytes(r.number(len(data)))), "\n")
	s := m.shape
	if r.failed || len(names) != s.Subwords || s.Subwords < 3 || s.Heads == 0 || s.Width%s.Heads != 0 {
		return nil, fmt.Errorf("the header says %+v: %w", s, ErrDamaged)
	}
	m.names, m.subwords = names, make(map[string]int32, len(names))
	for i, name := range names {
		m.subwords[name] = int32(i)
	}
	m.begin, m.end, m.unknown = 0, 1, 2
	m.words, m.positions, m.norm = r.matrix(s.Subwords, s.Width), r.matrix(s.Positions, s.Width), r.norm(s.Width)
	for range s.Layers {
		m.layers = append(m.layers, layer{
			query: r.dense(s.Width, s.Width), key: r.dense(s.Width, s.Width), value: r.dense(s.Width, s.Width), output: r.dense(s.Width, s.Width),
			attended: r.norm(s.Width), in: r.dense(s.Inner, s.Width), out: r.dense(s.Width, s.Inner), done: r.norm(s.Width),
		})
	}
	if r.failed || len(r.rest) > 0 {
		return nil, fmt.Errorf("%+v does not fill %d bytes: %w", s, len(data), ErrDamaged)
	}
	return m, nil
}

// A reader takes parts off the front of bytes; it fails for good when there are too few.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) bytes(n int) []byte {
	if r.failed || n < 0 || n > len(r.rest) {
		r.failed = true
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) number(limit int) int {
	b := r.bytes(4)
	if b == nil {
		return 0
	}
	n := binary.LittleEndian.Uint32(b)
	r.failed = r.failed || uint64(n) > uint64(limit)
	return int(n)
}

func (r *reader) vector(n int) []float32 {
	b := r.bytes(4 * n)
	if b == nil {
		return nil
	}
	v := make([]float32, n)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

func (r *reader) matrix(rows, cols int) matrix {
	return matrix{rows, cols, r.vector(rows), r.bytes(rows * cols)}
}

func (r *reader) dense(rows, cols int) dense {
	return dense{r.matrix(rows, cols), r.vector(rows)}
}

func (r *reader) norm(n int) layerNorm { return layerNorm{r.vector(n), r.vector(n)} }
