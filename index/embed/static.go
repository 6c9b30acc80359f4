package embed

import (
	"fmt"
	"math"
	"sync"

	"github.com/aurora-sidecar/aurora/internal/text"
)

// StaticModel is the Model in the ID of every Static; StaticVersion grows when the same bytes and the same text would
// give another vector.
const (
	StaticModel   = "aurora-static"
	StaticVersion = "1"
)

const (
	// maxTokens is how many tokens of a text count. The model was trained on as many; what comes later in a long
	// function would blur what its beginning says.
	maxTokens = 256

	// A weight has at most 14 bits, so that a sum of maxTokens rows of 7 bits fits an int32 with room to spare.
	weightShift = 10
	rootShift   = 8 // fractional bits of roots
)

// A Static embeds a text as the sum of its tokens' rows, each times the square root of how often it occurs, scaled to
// the range of a Vector. It knows no word order and needs an addition of 256 numbers a token, which is why
// it can embed all of a repository while it is being indexed.
type Static struct {
	model    *table
	id       ID
	encoders sync.Pool
}

// OpenStatic returns the model that data holds, as Encode made it. It keeps data, which must not change. Other data gives
// ErrDamaged or ErrVersion.
func OpenStatic(data []byte) (*Static, error) {
	model, err := openTable(data)
	if err == nil {
		err = checkSum(data)
	}
	if err == nil && !model.index() {
		err = fmt.Errorf("tokens are not in order: %w", ErrDamaged)
	}
	if err != nil {
		return nil, fmt.Errorf("open embedding model: %w", err)
	}
	s := newStatic(model)
	s.id.Fingerprint = s.fingerprint()
	return s, nil
}

// newStatic returns the model of a table, without its fingerprint.
func newStatic(model *table) *Static {
	s := &Static{model: model, id: ID{Model: StaticModel, Version: StaticVersion, Dimensions: model.dims}}
	s.encoders.New = func() any { return newEncoder(s) }
	return s
}

func (s *Static) fingerprint() uint32 {
	var probe []Vector
	for _, p := range Probe() {
		probe = append(probe, s.Vector(p))
	}
	return Fingerprint(probe)
}

// ID says whose vectors these are.
func (s *Static) ID() ID { return s.id }

// Rows returns the number of tokens that the model knows.
func (s *Static) Rows() int { return s.model.rows }

// Vector returns the vector of one text; it is empty when the model knows no token of it.
func (s *Static) Vector(src []byte) Vector { return s.AppendVector(nil, src) }

// AppendVector appends the vector of a text to dst and returns the result: dst itself when the model knows no token of
// the text. With room in dst it allocates nothing.
func (s *Static) AppendVector(dst []int8, src []byte) Vector {
	e := s.encoders.Get().(*encoder)
	e.count(src)
	dst = e.appendVector(dst)
	s.encoders.Put(e)
	return dst
}

// An encoder is the working memory of one embedding.
type encoder struct {
	static *Static
	tokens text.Subtokenizer
	counts []uint16 // by row; zero between texts
	rows   []int32  // those that occur, in order of first appearance
	sums   []int32  // by dimension
	read   int      // tokens so far
	count1 func(token []byte) bool
}

func newEncoder(s *Static) *encoder {
	s.model.index()
	e := &encoder{static: s, counts: make([]uint16, s.Rows()), sums: make([]int32, s.model.dims)}
	e.count1 = e.countToken // made once: a method value allocates
	return e
}

// count counts the tokens of a text.
func (e *encoder) count(src []byte) {
	e.read = 0
	e.tokens.Each(src, e.count1)
}

func (e *encoder) countToken(token []byte) bool {
	e.read++
	if row := e.static.model.find(HashToken(token)); row >= 0 {
		if e.counts[row] == 0 {
			e.rows = append(e.rows, int32(row))
		}
		e.counts[row]++
	}
	return e.read < maxTokens
}

// appendVector appends the vector of what was counted, and forgets it.
func (e *encoder) appendVector(dst []int8) []int8 {
	clear(e.sums)
	model := e.static.model
	for _, row := range e.rows {
		weight := model.scale(int(row)) * roots[e.counts[row]] >> weightShift
		addRow(e.sums, model.row(int(row)), int32(weight))
		e.counts[row] = 0
	}
	e.rows = e.rows[:0]
	return appendScaled(dst, e.sums)
}

// addRow adds weight times the row to sums, which is as long.
func addRow(sums []int32, row []byte, weight int32) {
	for len(row) >= 8 && len(sums) >= 8 {
		r, s := row[:8:8], sums[:8:8]
		s[0] += int32(int8(r[0])) * weight
		s[1] += int32(int8(r[1])) * weight
		s[2] += int32(int8(r[2])) * weight
		s[3] += int32(int8(r[3])) * weight
		s[4] += int32(int8(r[4])) * weight
		s[5] += int32(int8(r[5])) * weight
		s[6] += int32(int8(r[6])) * weight
		s[7] += int32(int8(r[7])) * weight
		row, sums = row[8:], sums[8:]
	}
	for i, b := range row {
		sums[i] += int32(int8(b)) * weight
	}
}

// appendScaled appends sums times the factor that makes the largest of them 127, rounded; nothing when all are 0.
func appendScaled(dst []int8, sums []int32) []int8 {
	largest := int32(0)
	for _, x := range sums {
		largest = max(largest, x, -x)
	}
	if largest == 0 {
		return dst
	}
	factor := int64(127<<32) / int64(largest)
	for _, x := range sums {
		dst = append(dst, int8((int64(x)*factor+1<<31)>>32))
	}
	return dst
}

// roots are the square roots of counts, in fixed point.
var roots = func() (r [maxTokens + 1]uint32) {
	for i := range r {
		r[i] = uint32(math.Round(math.Sqrt(float64(i)) * (1 << rootShift)))
	}
	return r
}()
