package store

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// maxUnpacked bounds what a packed value may become, so that a damaged one can't take all memory.
const maxUnpacked = 8 << 30

// The fastest level: a scan packs all that it finds.
var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2), zstd.WithLowerEncoderMem(true))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxUnpacked), zstd.WithDecoderLowmem(true))
)

// Pack returns data as one zstd frame (RFC 8878) with a checksum of its own.
func Pack(data []byte) []byte { return packer.EncodeAll(data, nil) }

// Unpack is the reverse of Pack. An error means that packed is not what Pack returned.
func Unpack(packed []byte) ([]byte, error) {
	data, err := unpacker.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return data, nil
}
