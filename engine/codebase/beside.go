package codebase

import (
	"runtime"
	"sync"
	"sync/atomic"
)

const mostBeside = 4 // more would take the cores from other requests

// Beside calls f for each of 0..n-1, on several cores. A panic of one call is a panic of Beside, once all calls have ended.
func Beside(n int, f func(i int)) {
	var next atomic.Int64
	var caught atomic.Pointer[any]
	work := func() {
		defer func() {
			if p := recover(); p != nil {
				caught.CompareAndSwap(nil, &p)
			}
		}()
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), mostBeside, n) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	if p := caught.Load(); p != nil {
		panic(*p)
	}
}
