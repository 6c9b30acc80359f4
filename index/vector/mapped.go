package vector

import (
	"fmt"
	"hash/crc32"
	"io"

	"github.com/aurora-sidecar/aurora/internal/mapfile"
)

// Check reads a segment of size bytes from r and tells, as Open does, whether it is in order, so that OpenMapped need not
// read it: a page that was never looked at takes no memory.
func Check(r io.Reader, size int64) error {
	header := make([]byte, min(size, int64(headerSize)))
	if _, err := io.ReadFull(r, header); err != nil {
		return fmt.Errorf("open vector segment: %w", err)
	}
	sum, err := readHeader(header)
	if err != nil {
		return err
	}
	crc := crc32.New(castagnoli)
	_, _ = crc.Write(header[summedFrom:]) // never fails
	n, err := io.CopyBuffer(crc, io.LimitReader(r, size-int64(headerSize)), make([]byte, checkBuffer))
	if err == nil && n < size-int64(headerSize) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("open vector segment: %w", err)
	}
	if crc.Sum32() != sum {
		return fmt.Errorf("open vector segment: checksum does not match: %w", ErrDamaged)
	}
	return nil
}

// checkBuffer is how much is read at once to be summed up: it should stay in the processor's cache.
const checkBuffer = 256 << 10

// OpenMapped returns the segment that begins at an offset of a mapped file and goes on to its end. Check must have found it
// in order. Should the file become unreadable later, the segment is lost: it finds nothing, and nothing is made of it.
func OpenMapped(file *mapfile.Mapping, offset int64) (*Segment, error) {
	all := file.Bytes()
	if offset < 0 || offset > int64(len(all)) {
		return nil, fmt.Errorf("open vector segment: offset %d of a file of %d bytes: %w", offset, len(all), ErrDamaged)
	}
	data := all[offset:]
	var s *Segment
	var err error
	readable := mapfile.Guard(func() {
		if _, err = readHeader(data); err == nil {
			s, err = open(data)
		}
	})
	switch {
	case !readable:
		return nil, fmt.Errorf("open vector segment: its file can't be read: %w", ErrDamaged)
	case err != nil:
		return nil, err
	}
	s.file = file
	return s, nil
}

// Mapped reports whether the segment lies in a mapped file.
func (s *Segment) Mapped() bool { return s.file != nil }

// Lost reports whether the segment's file turned out to be unreadable.
func (s *Segment) Lost() bool { return s.lost.Load() }
