//go:build !amd64

package vector

// dot returns the product of a vector and a row of the same length. With at most 4,096 entries of at most 127 it fits.
func dot(v []int8, row []byte) int32 { return dotPlain(v, row) }
