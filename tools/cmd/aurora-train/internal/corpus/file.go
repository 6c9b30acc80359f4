package corpus

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// fileMagic begins a file of pairs; it changes with the format.
const fileMagic = "AURPAIR1"

// Save writes repositories so that Load can read them.
func Save(w io.Writer, repositories []Repository) error {
	out := bufio.NewWriterSize(w, 1<<20)
	var line []byte
	line = append(line, fileMagic...)
	line = binary.AppendUvarint(line, uint64(len(repositories)))
	for _, r := range repositories {
		line = binary.AppendUvarint(line, uint64(len(r.Name)))
		line = append(line, r.Name...)
		line = binary.AppendUvarint(line, uint64(len(r.Pairs)))
		for _, p := range r.Pairs {
			line = append(line, byte(p.Kind))
			line = appendBag(appendBag(line, p.Query), p.Code)
			if _, err := out.Write(line); err != nil {
				return fmt.Errorf("save pairs: %w", err)
			}
			line = line[:0]
		}
	}
	if _, err := out.Write(line); err != nil {
		return fmt.Errorf("save pairs: %w", err)
	}
	return out.Flush()
}

func appendBag(dst []byte, b Bag) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(b)))
	for _, t := range b {
		dst = binary.LittleEndian.AppendUint64(dst, t.Hash)
		dst = append(dst, t.Count)
	}
	return dst
}

// Load reads what Save wrote.
func Load(r io.Reader) ([]Repository, error) {
	in := &pairReader{in: bufio.NewReaderSize(r, 1<<20)}
	if string(in.bytes(len(fileMagic))) != fileMagic {
		return nil, errors.New("load pairs: not a file of pairs of this version: extract again")
	}
	repositories := make([]Repository, in.length(1<<20))
	for i := range repositories {
		repositories[i].Name = string(in.bytes(in.length(1 << 16)))
		pairs := make([]Pair, 0, min(in.length(1<<30), 1<<20))
		for range in.last {
			if in.err != nil {
				break
			}
			pairs = append(pairs, Pair{Kind: Kind(in.bytes(1)[0]) % NumKinds, Query: in.bag(), Code: in.bag()})
		}
		repositories[i].Pairs = pairs
	}
	if in.err != nil {
		return nil, fmt.Errorf("load pairs: %w", in.err)
	}
	return repositories, nil
}

// A pairReader reads until the first error, and zeros after it.
type pairReader struct {
	in   *bufio.Reader
	last int // the last length read
	err  error
}

func (r *pairReader) bytes(n int) []byte {
	b := make([]byte, n)
	if r.err == nil {
		_, r.err = io.ReadFull(r.in, b)
	}
	return b
}

func (r *pairReader) length(limit int) int {
	r.last = 0
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(r.in)
	if r.err = err; err == nil && n > uint64(limit) {
		r.err = fmt.Errorf("a length of %d", n)
	}
	if r.err == nil {
		r.last = int(n)
	}
	return r.last
}

func (r *pairReader) bag() Bag {
	b := make(Bag, r.length(1<<12))
	raw := r.bytes(9 * len(b))
	for i := range b {
		b[i] = Term{Hash: binary.LittleEndian.Uint64(raw[9*i:]), Count: raw[9*i+8]}
	}
	return b
}
