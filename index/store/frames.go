package store

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// FrameSize is about how many bytes a frame of PackFrames holds: small enough to be unpacked for a few of them, large
// enough to be packed well.
const FrameSize = 64 << 10

// maxFrame bounds what one frame may become.
const maxFrame = 1 << 30

var errFrames = errors.New("the table of frames is damaged")

// PackFrames packs data so that each piece of it can be unpacked without the rest. The pieces end where cuts say, in
// ascending order, the last one at the end of data.
//
//	uvarint frames, then per frame uvarint bytes and uvarint packed bytes, then the frames, each as Pack makes it
func PackFrames(data []byte, cuts []int) []byte {
	var frames []byte
	table := binary.AppendUvarint(nil, uint64(len(cuts)))
	from := 0
	for _, to := range cuts {
		packed := Pack(data[from:to])
		table = binary.AppendUvarint(table, uint64(to-from))
		table = binary.AppendUvarint(table, uint64(len(packed)))
		frames = append(frames, packed...)
		from = to
	}
	return append(table, frames...)
}

// EvenCuts cuts n bytes into frames of FrameSize.
func EvenCuts(n int) (cuts []int) {
	for to := FrameSize; to < n; to += FrameSize {
		cuts = append(cuts, to)
	}
	if n > 0 {
		cuts = append(cuts, n)
	}
	return cuts
}

// Frames are what PackFrames has made, in a file that is read where it is needed. They are for one goroutine at a time.
type Frames struct {
	r      io.ReaderAt
	ends   []int   // of the frames, in what was packed
	at     []int64 // of the packed frames, and of their end
	packed []byte  // of one frame
}

// OpenFrames returns the frames in the size bytes of r from at on. It reads their table only.
func OpenFrames(r io.ReaderAt, at, size int64) (*Frames, error) {
	table := &countingReader{r: io.NewSectionReader(r, at, size)}
	n, err := binary.ReadUvarint(table)
	if err != nil || n > uint64(size) {
		return nil, fmt.Errorf("open frames: %w", errFrames)
	}
	f := &Frames{r: r, ends: make([]int, n), at: make([]int64, n+1)}
	end, packed := uint64(0), uint64(0)
	for i := range f.ends {
		a, err1 := binary.ReadUvarint(table)
		b, err2 := binary.ReadUvarint(table)
		if err1 != nil || err2 != nil || a > maxFrame || b > uint64(size) {
			return nil, fmt.Errorf("open frames: %w", errFrames)
		}
		end, packed = end+a, packed+b
		f.ends[i], f.at[i+1] = int(end), int64(packed)
	}
	if table.n+int64(packed) != size {
		return nil, fmt.Errorf("open frames: %w", errFrames)
	}
	for i := range f.at {
		f.at[i] += at + table.n
	}
	return f, nil
}

// Size is that of what was packed.
func (f *Frames) Size() int {
	if len(f.ends) == 0 {
		return 0
	}
	return f.ends[len(f.ends)-1]
}

// Len is the number of frames.
func (f *Frames) Len() int { return len(f.ends) }

// Of returns the number of the frame that holds the byte at an offset.
func (f *Frames) Of(offset int) int {
	i, found := slices.BinarySearch(f.ends, offset)
	if found {
		i++
	}
	return i
}

// Range tells where frame i lies in what was packed.
func (f *Frames) Range(i int) (from, to int) {
	if i > 0 {
		from = f.ends[i-1]
	}
	return from, f.ends[i]
}

// Unpack returns what is in frame i, in place of what is in buf.
func (f *Frames) Unpack(i int, buf []byte) ([]byte, error) {
	n := int(f.at[i+1] - f.at[i])
	f.packed = slices.Grow(f.packed[:0], n)[:n]
	if _, err := f.r.ReadAt(f.packed, f.at[i]); err != nil {
		return buf[:0], fmt.Errorf("read frame: %w", err)
	}
	out, err := unpacker.DecodeAll(f.packed, buf[:0])
	if err != nil {
		return buf[:0], fmt.Errorf("unpack frame: %w", err)
	}
	if from, to := f.Range(i); len(out) != to-from {
		return buf[:0], fmt.Errorf("unpack frame: %d bytes, not %d: %w", len(out), to-from, errFrames)
	}
	return out, nil
}

// A countingReader counts the bytes that were taken from it.
type countingReader struct {
	r    io.Reader
	buf  [4096]byte
	rest []byte
	n    int64
}

// ReadByte implements io.ByteReader.
func (c *countingReader) ReadByte() (byte, error) {
	if len(c.rest) == 0 {
		n, err := c.r.Read(c.buf[:])
		if n == 0 {
			return 0, cmp.Or(err, io.ErrNoProgress)
		}
		c.rest = c.buf[:n]
	}
	b := c.rest[0]
	c.rest = c.rest[1:]
	c.n++
	return b, nil
}
