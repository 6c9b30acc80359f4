package store

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

const (
	// maxUnpacked bounds what a packed value may become, so that a damaged one can't take all memory.
	maxUnpacked = 8 << 30

	// largeValue is from which size on, packed or not, a value gets a coder of its own. A coder that is kept holds on to a
	// window, and to all of what it read and wrote last.
	largeValue = 256 << 10
)

// The fastest level: a scan packs all that it finds.
var (
	packOptions   = []zstd.EOption{zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true)}
	unpackOptions = []zstd.DOption{zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecoderLowmem(true)}

	packer   = newPacker(zstd.WithEncoderConcurrency(2), zstd.WithWindowSize(largeValue))
	unpacker = newUnpacker(zstd.WithDecoderConcurrency(0))
)

func newPacker(more ...zstd.EOption) *zstd.Encoder {
	z, err := zstd.NewWriter(nil, append(more, packOptions...)...)
	if err != nil {
		panic(err) // an option that can't be had: a programming error that every test would show
	}
	return z
}

func newUnpacker(more ...zstd.DOption) *zstd.Decoder {
	z, err := zstd.NewReader(nil, append(more, unpackOptions...)...)
	if err != nil {
		panic(err) // as above
	}
	return z
}

// Pack returns data as one zstd frame (RFC 8878) with a checksum of its own.
func Pack(data []byte) []byte {
	if len(data) < largeValue {
		return packer.EncodeAll(data, nil)
	}
	return newPacker(zstd.WithEncoderConcurrency(1)).EncodeAll(data, nil)
}

// Unpack is the reverse of Pack. An error means that packed is not what Pack returned.
func Unpack(packed []byte) ([]byte, error) {
	z := unpacker
	if len(packed) >= largeValue/4 { // most of what is packed was four times as large
		z = newUnpacker(zstd.WithDecoderConcurrency(1))
		defer z.Close()
	}
	data, err := z.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return data, nil
}

// PackWell is Pack for what is packed once and moved often: slower, and smaller.
func PackWell(data []byte) []byte {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(wellWindow))
	if err != nil {
		panic(err) // an option that can't be had, as above
	}
	return z.EncodeAll(data, make([]byte, 0, len(data)/2))
}

// wellWindow is how many bytes PackWell looks back.
const wellWindow = 8 << 20

// leastMemory is what a decoder needs for the smallest value.
const leastMemory = 64 << 10

// UnpackWithin unpacks at most limit bytes; more than that, or than leastMemory, are an error before memory is taken for them.
func UnpackWithin(packed []byte, limit uint64) ([]byte, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(max(limit, leastMemory)), zstd.WithDecoderMaxWindow(wellWindow))
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	defer z.Close()
	data, err := z.DecodeAll(packed, nil)
	if err == nil && uint64(len(data)) > limit {
		err = zstd.ErrDecoderSizeExceeded
	}
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return data, nil
}
