package fit

import "sync"

// The kernels come in two forms, plain and with vector instructions, that round alike: products and sums are rounded one
// by one, and the sum over k is taken in ascending order.

const (
	tileRows = 4  // rows of a tile of the product
	tileCols = 16 // columns of it
)

// multiply sets c = a · b for row-major a (m × k), b (k × n) and c (m × n), with m a multiple of tileRows and n of
// tileCols.
func multiply(c, a, b []float32, m, k, n, workers int) {
	share(n/tileCols, workers, func(from, to int) {
		panel := make([]float32, k*tileCols)
		for p := from; p < to; p++ {
			for row := range k {
				copy(panel[row*tileCols:(row+1)*tileCols], b[row*n+p*tileCols:])
			}
			for i := 0; i < m; i += tileRows {
				tile(c[i*n+p*tileCols:], n, a[i*k:], k, panel)
			}
		}
	})
}

// transpose sets dst, n × m, to the transpose of src, m × n.
func transpose(dst, src []float32, m, n, workers int) {
	const block = 32
	share((m+block-1)/block, workers, func(from, to int) {
		for i0 := from * block; i0 < min(m, to*block); i0 += block {
			for j0 := 0; j0 < n; j0 += block {
				for i := i0; i < min(m, i0+block); i++ {
					for j := j0; j < min(n, j0+block); j++ {
						dst[j*m+i] = src[i*n+j]
					}
				}
			}
		}
	})
}

// tilePlain sets the first tileCols columns of tileRows rows of c, whose rows are n apart, to the product of as many rows of a,
// k long, and a panel of k rows.
func tilePlain(c []float32, n int, a []float32, k int, panel []float32) {
	for i := range tileRows {
		var sums [tileCols]float32
		row := a[i*k : (i+1)*k]
		for p, x := range row {
			b := panel[p*tileCols : (p+1)*tileCols : (p+1)*tileCols]
			for j := range sums {
				sums[j] += float32(x * b[j]) // the conversion forbids a fused multiplication
			}
		}
		copy(c[i*n:i*n+tileCols], sums[:])
	}
}

// addScaledPlain adds w times src to dst, which is as long.
func addScaledPlain(dst, src []float32, w float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] += float32(w * src[i])
	}
}

// share calls work with consecutive ranges of [0, n), each in a goroutine of its own, and waits for all.
func share(n, workers int, work func(from, to int)) {
	if workers <= 1 || n <= 1 {
		work(0, n)
		return
	}
	// More ranges than workers, so that one which the machine disturbs does not make the others wait long.
	ranges := min(n, 4*workers)
	next := make(chan int, ranges)
	for i := range ranges {
		next <- i
	}
	close(next)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range next {
				work(i*n/ranges, (i+1)*n/ranges)
			}
		})
	}
	group.Wait()
}
