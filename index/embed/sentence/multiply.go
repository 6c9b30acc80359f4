package sentence

import "math"

// How many rows and vectors are multiplied at once where the processor can.
const tileRows, tileVectors = 2, 4

// Quantised vectors are integers, and what those of each vector are multiplied by.
type quantised struct {
	width  int
	values []int16 // of 8 bits each, one vector after the other; vectors of zeros make their number a multiple of tileVectors
	scales []float32
}

func (q *quantised) count() int { return len(q.scales) }

// vector returns the integers of one.
func (q *quantised) vector(i int) []int16 { return q.values[i*q.width : (i+1)*q.width] }

// toInteger is so large that a float32 beside it has no fraction: adding it rounds, and the last 16 bits of the sum are the integer.
const toInteger = 3 << 22

// withoutSign are the bits of a float32 that say how large it is. Of two of them the larger number has the larger bits, which are compared
// without a branch that nobody could predict.
const withoutSign = 1<<31 - 1

// quantise rounds vectors to integers of 8 bits, each with a scale of its own.
//
//go:norace
func quantise(x [][]float32) *quantised {
	whole := (len(x) + tileVectors - 1) / tileVectors * tileVectors
	q := &quantised{width: len(x[0]), values: make([]int16, whole*len(x[0])), scales: make([]float32, len(x))}
	for i, v := range x {
		var bits uint32
		for _, n := range v {
			bits = max(bits, math.Float32bits(n)&withoutSign)
		}
		peak := math.Float32frombits(bits)
		q.scales[i] = peak / 127
		if peak > 0 {
			by, values := 127/peak, q.vector(i)[:len(v)]
			for j, n := range v {
				values[j] = int16(math.Float32bits(float32(n*by) + toInteger))
			}
		}
	}
	return q
}

// fill sets the products of some rows with some vectors, in plain Go.
//
//go:norace
func (d *dense) fill(out [][]float32, x *quantised, fromRow, toRow, from, to int) {
	for r := fromRow; r < toRow; r++ {
		row := d.row(r)
		for i := from; i < to; i++ {
			d.set(out, x, r, i, dot(row, x.vector(i)))
		}
	}
}

// set turns a sum of products of integers into a number.
func (d *dense) set(out [][]float32, x *quantised, row, i int, sum int32) {
	out[i][row] = float32(float32(sum)*d.scales[row]*x.scales[i]) + d.bias[row] // rounded before it is added, on every machine
}

// dot is the sum of products of a list of int8 and another of the same length.
//
//go:norace
func dot(a []byte, b []int16) int32 {
	var s0, s1 int32
	b = b[:len(a)]
	i := 0
	for ; i+1 < len(a); i += 2 {
		s0 += int32(int8(a[i])) * int32(b[i])
		s1 += int32(int8(a[i+1])) * int32(b[i+1])
	}
	if i < len(a) {
		s0 += int32(int8(a[i])) * int32(b[i])
	}
	return s0 + s1
}
