//go:build !amd64

package fit

func tile(c []float32, n int, a []float32, k int, panel []float32) { tilePlain(c, n, a, k, panel) }

func addScaled(dst, src []float32, w float32) { addScaledPlain(dst, src, w) }
