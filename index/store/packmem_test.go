package store

import (
	"bytes"
	"runtime"
	"testing"
)

// heap returns what is alive on Go's heap, in bytes.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestPackKeepsNothing guards against coders that hold on to the last large value they saw.
func TestPackKeepsNothing(t *testing.T) {
	const size = 32 << 20
	if _, err := Unpack(Pack(noise(1000))); err != nil { // the coders for small values are there now
		t.Fatal(err)
	}
	before := heap()
	got, err := Unpack(Pack(bytes.Repeat(noise(1<<20), size>>20)))
	if err != nil || len(got) != size {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	if after := heap(); after > before+1<<20 {
		t.Errorf("%d KB on the heap for nothing", (after-before)>>10)
	}
}
