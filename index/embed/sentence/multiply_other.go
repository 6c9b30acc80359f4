//go:build !amd64 && !arm64

package sentence

// times returns the products with vectors, plus the bias.
func (d *dense) times(x *quantised) [][]float32 {
	out := rows(x.count(), d.rows)
	d.fill(out, x, 0, d.rows, 0, len(out))
	return out
}
