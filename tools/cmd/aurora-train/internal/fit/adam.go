package fit

import "math"

// The constants of Adam, see Kingma and Ba, "Adam: a method for stochastic optimization", 2015.
const (
	beta1   = .9
	beta2   = .999
	epsilon = 1e-9
)

// adam is Adam for sparse gradients: a row that a batch does not use does not move, and the correction of a row's bias
// counts the steps of that row.
type adam struct {
	dims   int
	first  []float32 // moments, row by row
	second []float32
	steps  []uint32
}

func newAdam(rows, dims int) *adam {
	return &adam{dims: dims, first: make([]float32, rows*dims), second: make([]float32, rows*dims), steps: make([]uint32, rows)}
}

// move takes a step with one row. Rows may move at the same time.
func (a *adam) move(values []float32, row int, gradient []float32, rate float64) {
	a.steps[row]++
	n := float64(a.steps[row])
	size := float32(rate / (1 - math.Pow(beta1, n)))
	correction := float32(1 / (1 - math.Pow(beta2, n)))
	first, second := a.first[row*a.dims:(row+1)*a.dims], a.second[row*a.dims:(row+1)*a.dims]
	for i, g := range gradient {
		first[i] = float32(beta1*first[i]) + float32((1-beta1)*g)
		second[i] = float32(beta2*second[i]) + float32(float32((1-beta2)*g)*g)
		root := float32(math.Sqrt(float64(float32(second[i] * correction))))
		values[i] -= float32(size*first[i]) / (root + epsilon)
	}
}
