package embed

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// A token is induced when at least minFunctions of the repository hold it, so that it says something, and at most
// maxFunctions, so that it says something particular.
const (
	minFunctions = 2
	maxFunctions = 50
)

// A Lexicon holds the rows of tokens that a repository uses and the model does not know. It is immutable.
type Lexicon struct{ table *table }

// OpenLexicon returns the lexicon that Bytes gave. It keeps data, which must not change. Other data gives ErrDamaged or
// ErrVersion; the way out is to induce it again.
func OpenLexicon(data []byte) (*Lexicon, error) {
	t, err := openTable(data)
	if err != nil {
		return nil, fmt.Errorf("open lexicon: %w", err)
	}
	return &Lexicon{t}, nil
}

// Bytes returns the lexicon for writing to a file. The caller must not change it.
func (l *Lexicon) Bytes() []byte { return l.table.buf }

// Tokens returns the number of tokens.
func (l *Lexicon) Tokens() int { return l.table.rows }

// Induce returns a lexicon of the unknown tokens of a repository, given the texts of its functions. A token that 2 to
// 50 of them hold gets the normalised sum of the vectors which s has for them, as long as the model's mean row: it means
// what the functions around it mean. Of more than limit such tokens those in most functions stay. Nothing is trained,
// and the order of the texts does not count. Lexicons do not build on each other: that of s is left out of account.
func Induce(s *Static, texts [][]byte, limit int) *Lexicon {
	base := newStatic(s.model, nil, s.meanNorm)
	found := unknownTokens(base, texts)
	if len(found) > limit {
		slices.SortFunc(found, func(a, b unknown) int {
			return cmp.Or(cmp.Compare(len(b.texts), len(a.texts)), cmp.Compare(a.hash, b.hash))
		})
		found = found[:max(0, limit)]
	}
	rows := inducedRows(base, texts, found)
	buf, err := Encode(s.model.dims, rows)
	if err != nil {
		buf, _ = Encode(s.model.dims, nil) // can't happen: the hashes are the keys of a map, the rows have dims values
	}
	t, _ := openTable(buf) // what was just encoded opens
	return &Lexicon{t}
}

// An unknown is a token that the model has no row for, and the texts that hold it.
type unknown struct {
	hash  uint64
	texts []int32
}

// unknownTokens returns the tokens to induce, in the order of their hashes.
func unknownTokens(s *Static, texts [][]byte) []unknown {
	holders := map[uint64][]int32{}
	e := newEncoder(s)
	for i, t := range texts {
		read := 0
		e.tokens.Each(t, func(token []byte) bool {
			read++
			h := HashToken(token)
			if at := holders[h]; s.model.find(h) < 0 && len(at) <= maxFunctions && (len(at) == 0 || at[len(at)-1] != int32(i)) {
				holders[h] = append(at, int32(i))
			}
			return read < maxTokens
		})
	}
	var found []unknown
	for h, at := range holders {
		if len(at) >= minFunctions && len(at) <= maxFunctions {
			found = append(found, unknown{h, at})
		}
	}
	slices.SortFunc(found, func(a, b unknown) int { return cmp.Compare(a.hash, b.hash) })
	return found
}

// inducedRows returns the rows of the tokens; one without any known token beside it gets none.
func inducedRows(s *Static, texts [][]byte, found []unknown) []Row {
	vectors := make([]Vector, len(texts))
	sums := make([]int64, s.model.dims)
	var rows []Row
	for _, u := range found {
		clear(sums)
		for _, i := range u.texts {
			if vectors[i] == nil {
				vectors[i] = s.AppendVector(make([]int8, 0, s.model.dims), texts[i])
			}
			addUnit(sums, vectors[i])
		}
		if values := scaled(sums); values != nil {
			rows = append(rows, Row{Hash: u.hash, Scale: scaleOf(values, s.meanNorm()), Values: values})
		}
	}
	return rows
}

// addUnit adds the vector at length 2^20 to sums.
func addUnit(sums []int64, v Vector) {
	squares := int64(0)
	for _, x := range v {
		squares += int64(x) * int64(x)
	}
	if squares == 0 {
		return
	}
	factor := int64(1<<40) / int64(math.Sqrt(float64(squares))*(1<<20)) // a root has one right result on every machine
	for i, x := range v {
		sums[i] += int64(x) * factor
	}
}

// scaled returns sums as a row whose largest entry is 127; nil when all are 0.
func scaled(sums []int64) []int8 {
	largest := int64(0)
	for _, x := range sums {
		largest = max(largest, x, -x)
	}
	if largest == 0 {
		return nil
	}
	shift := max(0, bits.Len64(uint64(largest))-30)
	small := make([]int32, len(sums))
	for i, x := range sums {
		small[i] = int32(x >> shift)
	}
	return appendScaled(nil, small)
}

// scaleOf returns the scale that makes the row as long as norm.
func scaleOf(values []int8, norm float64) uint16 {
	squares := 0
	for _, x := range values {
		squares += int(x) * int(x)
	}
	return uint16(min(math.MaxUint16, math.Round(norm/math.Sqrt(float64(squares)))))
}
