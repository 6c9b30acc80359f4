package vector

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// blockSize is how many entries dotBlocks takes at a time.
const blockSize = 32

var hasBlocks = cpu.X86.HasAVX2

// dotBlocks is the product of two lists of n int8; n is a multiple of blockSize and not 0.
//
//go:noescape
func dotBlocks(v, row *byte, n int) int32

// dot returns the product of a vector and a row of the same length. With at most 4,096 entries of at most 127 it fits.
func dot(v []int8, row []byte) int32 {
	if !hasBlocks || len(v) == 0 || len(v)%blockSize != 0 || len(row) < len(v) {
		return dotPlain(v, row)
	}
	return dotBlocks((*byte)(unsafe.Pointer(&v[0])), &row[0], len(v))
}
