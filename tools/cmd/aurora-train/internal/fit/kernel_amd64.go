package fit

import "golang.org/x/sys/cpu"

// tileAVX and addScaledAVX are in kernel_amd64.s. They do not check lengths: see their callers.
//
//go:noescape
func tileAVX(c *float32, n int, a *float32, k int, panel *float32)

//go:noescape
func addScaledAVX(dst, src *float32, n int, w float32)

func tile(c []float32, n int, a []float32, k int, panel []float32) {
	if !cpu.X86.HasAVX2 || k == 0 {
		tilePlain(c, n, a, k, panel)
		return
	}
	_, _, _ = c[(tileRows-1)*n+tileCols-1], a[tileRows*k-1], panel[k*tileCols-1]
	tileAVX(&c[0], n, &a[0], k, &panel[0])
}

func addScaled(dst, src []float32, w float32) {
	if n := len(dst) &^ 7; cpu.X86.HasAVX2 && n > 0 {
		_ = src[n-1]
		addScaledAVX(&dst[0], &src[0], n, w)
		dst, src = dst[n:], src[n:]
	}
	addScaledPlain(dst, src, w)
}
