package fit

import (
	"math"

	"github.com/aurora-sidecar/aurora/index/embed"
)

// Quantise turns trained rows into those of the model: integers of 8 bits with a scale of 16 bits for each row, whose unit
// makes the largest scale the largest number.
func Quantise(v *Vocabulary, rows [][]float32) []embed.Row {
	largest := 0.0
	for _, row := range rows {
		largest = max(largest, peak(row))
	}
	unit := largest / 127 / math.MaxUint16
	quantised := make([]embed.Row, len(rows))
	for i, row := range rows {
		q := embed.Row{Hash: v.Hashes[i], Values: make([]int8, len(row))}
		if unit > 0 {
			q.Scale = uint16(max(1, math.Round(peak(row)/127/unit)))
			for j, x := range row {
				q.Values[j] = int8(max(-127, min(127, math.Round(float64(x)/(float64(q.Scale)*unit)))))
			}
		}
		quantised[i] = q
	}
	return quantised
}

// peak returns the largest absolute value.
func peak(row []float32) float64 {
	p := 0.0
	for _, x := range row {
		p = max(p, math.Abs(float64(x)))
	}
	return p
}
