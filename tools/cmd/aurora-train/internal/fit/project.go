package fit

import "math"

// projectionRounds are enough for the subspace to stand still to three digits of a cosine.
const projectionRounds = 40

// Project subtracts the mean of vectors of equal length, and returns them in their dims principal directions at length 1. What
// has none stays nil. The directions are found by orthogonal iteration (Golub and Van Loan, Matrix Computations, 8.2.4).
func Project(vectors [][]float32, dims, workers int) [][]float32 {
	mean, width := center(vectors)
	if width == 0 {
		return vectors
	}
	dims = min(dims, width)
	spread := covariance(vectors, mean, workers)
	base, next := make([]float32, width*dims), make([]float32, width*dims)
	for i := range dims {
		base[i*dims+i] = 1
	}
	for range projectionRounds {
		multiply(next, spread, base, width, width, dims, workers)
		orthonormalise(next, width, dims)
		base, next = next, base
	}
	out := make([][]float32, len(vectors))
	share(len(vectors), workers, func(from, to int) {
		for i := from; i < to; i++ {
			if vectors[i] != nil {
				out[i] = projected(vectors[i], mean, base, dims)
			}
		}
	})
	return out
}

// center returns the mean and its length, 0 where there are no vectors.
func center(vectors [][]float32) (mean []float32, width int) {
	var sums []float64
	n := 0.0
	for _, v := range vectors {
		if v == nil {
			continue
		}
		if sums == nil {
			sums = make([]float64, len(v))
		}
		n++
		for j, x := range v {
			sums[j] += float64(x)
		}
	}
	for _, s := range sums {
		mean = append(mean, float32(s/n))
	}
	return mean, len(mean)
}

func covariance(vectors [][]float32, mean []float32, workers int) []float32 {
	width := len(mean)
	sums := make([]float32, width*width)
	share(width, workers, func(from, to int) {
		v := make([]float32, width)
		for _, full := range vectors {
			if full == nil {
				continue
			}
			for j := range v {
				v[j] = full[j] - mean[j]
			}
			for row := from; row < to; row++ {
				addScaled(sums[row*width:(row+1)*width], v, v[row])
			}
		}
	})
	return sums
}

// orthonormalise makes the columns of an m × n matrix orthogonal and of length 1, one after the other (Gram and Schmidt).
func orthonormalise(a []float32, m, n int) {
	for col := range n {
		for before := range col {
			dot := 0.0
			for i := range m {
				dot += float64(a[i*n+col]) * float64(a[i*n+before])
			}
			for i := range m {
				a[i*n+col] -= float32(dot) * a[i*n+before]
			}
		}
		squares := 0.0
		for i := range m {
			squares += float64(a[i*n+col]) * float64(a[i*n+col])
		}
		inverse := float32(1 / (math.Sqrt(squares) + 1e-20))
		for i := range m {
			a[i*n+col] *= inverse
		}
	}
}

// projected returns a vector, less the mean, in the directions that are the columns of base, at length 1.
func projected(v, mean, base []float32, dims int) []float32 {
	out := make([]float32, dims)
	for i, x := range v {
		addScaled(out, base[i*dims:(i+1)*dims], x-mean[i])
	}
	return Unit(out)
}

// Unit scales a vector to length 1, in place, and returns it.
func Unit(v []float32) []float32 {
	squares := 0.0
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	inverse := float32(1 / (math.Sqrt(squares) + 1e-20))
	for j := range v {
		v[j] *= inverse
	}
	return v
}
