package lexical

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// A termTable numbers distinct byte strings in order of first appearance. It is an open-addressing hash table over
// one arena: a hit allocates nothing, and a cleared table keeps its memory.
type termTable struct {
	seed   maphash.Seed
	slots  []uint32 // term number + 1; 0 is free; the length is a power of two
	hashes []uint32 // by term
	ends   []int    // by term: where it ends in the arena
	arena  []byte
}

func newTermTable() termTable {
	return termTable{seed: maphash.MakeSeed(), slots: make([]uint32, 1<<10)}
}

// number returns the term's number, a new one when it was never seen.
func (t *termTable) number(term []byte) uint32 {
	hash := uint32(maphash.Bytes(t.seed, term))
	mask := uint32(len(t.slots) - 1)
	i := hash & mask
	for ; t.slots[i] != 0; i = (i + 1) & mask {
		n := t.slots[i] - 1
		if t.hashes[n] == hash && bytes.Equal(t.term(n), term) {
			return n
		}
	}
	n := uint32(len(t.ends))
	t.slots[i] = n + 1
	t.hashes = append(t.hashes, hash)
	t.arena = append(t.arena, term...)
	t.ends = append(t.ends, len(t.arena))
	if 2*len(t.ends) > len(t.slots) {
		t.grow()
	}
	return n
}

// term returns the bytes of term n.
func (t *termTable) term(n uint32) []byte {
	start := 0
	if n > 0 {
		start = t.ends[n-1]
	}
	return t.arena[start:t.ends[n]]
}

// grow doubles the slots.
func (t *termTable) grow() {
	t.slots = make([]uint32, 2*len(t.slots))
	mask := uint32(len(t.slots) - 1)
	for n, hash := range t.hashes {
		i := hash & mask
		for t.slots[i] != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = uint32(n) + 1
	}
}

// clear forgets every term.
func (t *termTable) clear() {
	clear(t.slots)
	t.hashes, t.ends, t.arena = t.hashes[:0], t.ends[:0], t.arena[:0]
}

// sorted returns the terms' numbers in byte order of the terms.
func (t *termTable) sorted() []uint32 {
	type key struct {
		head uint64 // the first eight bytes, which decide most comparisons
		n    uint32
	}
	keys := make([]key, len(t.ends))
	for n := range keys {
		var head [8]byte
		copy(head[:], t.term(uint32(n)))
		keys[n] = key{binary.BigEndian.Uint64(head[:]), uint32(n)}
	}
	slices.SortFunc(keys, func(a, b key) int {
		switch {
		case a.head < b.head:
			return -1
		case a.head > b.head:
			return 1
		}
		return bytes.Compare(t.term(a.n), t.term(b.n))
	})
	order := make([]uint32, len(keys))
	for i, k := range keys {
		order[i] = k.n
	}
	return order
}
