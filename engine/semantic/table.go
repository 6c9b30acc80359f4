package semantic

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/aurora-sidecar/aurora/index/embed"
)

const (
	// comparedWhole is up to how many vectors each is compared in full.
	comparedWhole = 8192
	// comparedClosely is how many of more than that are: those of the most equal signs. 2000 of 100,000 had the nearest 50 of all but
	// some in a thousand, see TestNearestOfMany.
	comparedClosely = 2000
	// mostNear is how many of the nearest are returned; some may be of records that are forgotten.
	mostNear = 200
)

// A vectorTable is a list of vectors of one length, one after the other, so that a hundred thousand are compared in some
// milliseconds. The zero value is empty.
type vectorTable struct {
	width   int // numbers of a vector
	values  []int8
	signs   []uint64 // a bit for each number: whether it is above 0
	lengths []float32
	groups  []int32 // of which workspace a row is: an index of names
	names   []string
	groupOf map[string]int32
}

func (t *vectorTable) count() int { return len(t.lengths) }

func (t *vectorTable) row(i int) []int8 { return t.values[i*t.width : (i+1)*t.width] }

func (t *vectorTable) signsOf(i int) []uint64 {
	n := signWords(t.width)
	return t.signs[i*n : (i+1)*n]
}

func signWords(width int) int { return (width + 63) / 64 }

// set gives a row, the next one at most, a vector of a workspace. A vector of another length than the first is near nothing.
func (t *vectorTable) set(i int, vec embed.Vector, workspace string) {
	if t.width == 0 {
		t.width, t.groupOf = len(vec), map[string]int32{}
	}
	if i == t.count() {
		t.values = append(t.values, make([]int8, t.width)...)
		t.signs = append(t.signs, make([]uint64, signWords(t.width))...)
		t.lengths, t.groups = append(t.lengths, 0), append(t.groups, 0)
	}
	row := t.row(i)
	clear(row)
	if len(vec) == t.width {
		copy(row, vec)
	}
	setSigns(t.signsOf(i), row)
	t.lengths[i] = lengthOf(row)
	t.place(i, workspace)
}

// place notes of which workspace a row is.
func (t *vectorTable) place(i int, workspace string) {
	group, known := t.groupOf[workspace]
	if !known {
		group = int32(len(t.names))
		t.names, t.groupOf[workspace] = append(t.names, workspace), group
	}
	t.groups[i] = group
}

// drop takes a row out, in whose place the last one comes.
func (t *vectorTable) drop(i int) {
	last, n := t.count()-1, signWords(t.width)
	copy(t.row(i), t.row(last))
	copy(t.signsOf(i), t.signsOf(last))
	t.lengths[i], t.groups[i] = t.lengths[last], t.groups[last]
	t.values, t.signs, t.lengths, t.groups = t.values[:last*t.width], t.signs[:last*n], t.lengths[:last], t.groups[:last]
}

// A nearRow is a row with its cosine.
type nearRow struct {
	row    int
	cosine float64
}

// nearest returns the rows nearest to a vector with at least that cosine, of workspaces in scope or of none, the best first:
// at most mostNear.
func (t *vectorTable) nearest(asked embed.Vector, least float64, scope []string) []nearRow {
	if len(asked) != t.width || t.width == 0 {
		return nil
	}
	rows, length := t.promising(asked, scope), lengthOf(asked)
	found := make([]nearRow, 0, len(rows))
	for _, i := range rows {
		if c := t.cosine(i, asked, length); c >= least {
			found = append(found, nearRow{i, c})
		}
	}
	slices.SortFunc(found, func(a, b nearRow) int { return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.row, b.row)) })
	return found[:min(len(found), mostNear)]
}

// promising returns the rows in scope; of very many those whose signs are the most like the vector's.
func (t *vectorTable) promising(asked embed.Vector, scope []string) []int {
	wanted := make([]bool, len(t.names))
	for g, name := range t.names {
		wanted[g] = name == "" || len(scope) == 0 || slices.Contains(scope, name)
	}
	rows := make([]int, 0, t.count())
	for i, g := range t.groups {
		if wanted[g] {
			rows = append(rows, i)
		}
	}
	if len(rows) <= comparedWhole {
		return rows
	}
	signs := make([]uint64, signWords(t.width))
	setSigns(signs, asked)
	differing, with := make([]uint16, len(rows)), make([]int, t.width+1)
	for k, i := range rows {
		n := 0
		for w, s := range t.signsOf(i) {
			n += bits.OnesCount64(s ^ signs[w])
		}
		differing[k] = uint16(n)
		with[n]++
	}
	most, total := 0, with[0]
	for total < comparedClosely && most < t.width {
		most++
		total += with[most]
	}
	kept := rows[:0]
	for k, i := range rows {
		if int(differing[k]) <= most {
			kept = append(kept, i)
		}
	}
	return kept
}

// cosine is that of a row and a vector of the table's width and this length.
func (t *vectorTable) cosine(i int, asked embed.Vector, length float32) float64 {
	if t.lengths[i] == 0 || length == 0 {
		return 0
	}
	row := t.row(i)
	asked = asked[:len(row)]
	var dot int64
	for j, n := range row {
		dot += int64(n) * int64(asked[j])
	}
	return float64(dot) / (float64(t.lengths[i]) * float64(length))
}

func setSigns(signs []uint64, vec []int8) {
	clear(signs)
	for i, n := range vec {
		if n > 0 {
			signs[i/64] |= 1 << (i % 64)
		}
	}
}

func lengthOf(vec []int8) float32 {
	var sum int64
	for _, n := range vec {
		sum += int64(n) * int64(n)
	}
	return float32(math.Sqrt(float64(sum)))
}
