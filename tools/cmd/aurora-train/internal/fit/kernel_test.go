package fit

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func randoms(n int, seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 1))
	list := make([]float32, n)
	for i := range list {
		list[i] = float32(r.NormFloat64())
	}
	return list
}

// TestKernelsRoundAlike compares the forms of the kernels bit for bit.
func TestKernelsRoundAlike(t *testing.T) {
	for _, k := range []int{1, 7, 256} {
		a, panel := randoms(tileRows*k, 1), randoms(k*tileCols, 2)
		const n = 40
		got, want := make([]float32, tileRows*n), make([]float32, tileRows*n)
		tile(got, n, a, k, panel)
		tilePlain(want, n, a, k, panel)
		if !slices.Equal(got, want) {
			t.Errorf("tile of k = %d: forms differ", k)
		}
	}
	for _, n := range []int{0, 3, 8, 29, 256} {
		got, src := randoms(n, 3), randoms(n, 4)
		want := slices.Clone(got)
		addScaled(got, src, 1.7)
		addScaledPlain(want, src, 1.7)
		if !slices.Equal(got, want) {
			t.Errorf("addScaled of %d: forms differ", n)
		}
	}
}

func TestMultiply(t *testing.T) {
	const m, k, n = 8, 5, 48
	a, b := randoms(m*k, 5), randoms(k*n, 6)
	want := make([]float32, m*n)
	for i := range m {
		for j := range n {
			for p := range k {
				want[i*n+j] += float32(a[i*k+p] * b[p*n+j])
			}
		}
	}
	for _, workers := range []int{1, 3} {
		got := make([]float32, m*n)
		multiply(got, a, b, m, k, n, workers)
		if !slices.Equal(got, want) {
			t.Errorf("%d workers: wrong product", workers)
		}
	}
}

func TestTranspose(t *testing.T) {
	const m, n = 37, 70
	src := randoms(m*n, 7)
	dst := make([]float32, m*n)
	transpose(dst, src, m, n, 2)
	for i := range m {
		for j := range n {
			if dst[j*m+i] != src[i*n+j] {
				t.Fatalf("(%d, %d) is wrong", i, j)
			}
		}
	}
}

func BenchmarkMultiply(b *testing.B) {
	const m, k, n = 1024, 256, 1024
	x, y, c := randoms(m*k, 5), randoms(k*n, 6), make([]float32, m*n)
	for b.Loop() {
		multiply(c, x, y, m, k, n, 1)
	}
	b.ReportMetric(float64(b.N)*2*m*k*n/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
