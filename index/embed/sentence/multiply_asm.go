//go:build amd64 || arm64

package sentence

// multiply adds up the products of two rows of n int8 with four vectors whose first numbers are stride bytes apart; n is a multiple of
// 16 and not 0. The sums of the first row come first.
//
//go:noescape
func multiply(w0, w1 *byte, x *int16, stride, n int, sums *[tileRows * tileVectors]int32)

// times returns the products with vectors, plus the bias.
//
//go:norace
func (d *dense) times(x *quantised) [][]float32 {
	out := rows(x.count(), d.rows)
	if !hasMultiply || d.cols%16 != 0 {
		d.fill(out, x, 0, d.rows, 0, len(out))
		return out
	}
	wholeRows := d.rows - d.rows%tileRows
	var sums [tileRows * tileVectors]int32
	for r := 0; r < wholeRows; r += tileRows {
		w0, w1 := &d.row(r)[0], &d.row(r + 1)[0]
		s0, s1, b0, b1 := d.scales[r], d.scales[r+1], d.bias[r], d.bias[r+1]
		for i := 0; i < len(out); i += tileVectors {
			multiply(w0, w1, &x.values[i*d.cols], 2*d.cols, d.cols, &sums)
			for j, scale := range x.scales[i:min(i+tileVectors, len(out))] {
				two := out[i+j][r : r+tileRows]
				two[0] = float32(float32(sums[j%tileVectors])*s0*scale) + b0
				two[1] = float32(float32(sums[tileVectors+j%tileVectors])*s1*scale) + b1
			}
		}
	}
	d.fill(out, x, wholeRows, d.rows, 0, len(out))
	return out
}
