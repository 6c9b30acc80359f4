package codebase

import (
	"sync/atomic"
	"testing"
)

func TestBesideCallsForEachAndPanicsInTheCaller(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100} {
		var calls [100]atomic.Int32
		Beside(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			want := int32(0)
			if i < n {
				want = 1
			}
			if got := calls[i].Load(); got != want {
				t.Fatalf("of %d: %d was called %d times", n, i, got)
			}
		}
	}
	defer func() {
		if p := recover(); p != "seven" {
			t.Errorf("recovered %v", p)
		}
	}()
	Beside(20, func(i int) {
		if i == 7 {
			panic("seven")
		}
	})
	t.Error("no panic")
}
