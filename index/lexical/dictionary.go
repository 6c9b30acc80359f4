package lexical

import (
	"bytes"
	"encoding/binary"
	"sort"
)

// blockTerms is how many terms share one entry of a dictionary's index.
const blockTerms = 16

// A dictionary is the sorted terms of one namespace with their postings: three views into a segment's buffer.
type dictionary struct {
	terms    uint64
	index    []byte
	blocks   []byte
	postings []byte

	have     func(at, n int) bool // makes sure that bytes of the buffer are there
	blocksAt int                  // where blocks begin in the buffer; postings follow
}

// An entry is what a dictionary knows of one term.
type entry struct {
	df       int    // documents that hold the term, dead ones included
	postings []byte // see cursor
}

// numBlocks returns the length of the index.
func (d *dictionary) numBlocks() int { return len(d.index) / 8 }

// block returns block i, nil when its offset is damaged or it can't be had.
func (d *dictionary) block(i int) []byte {
	from, to := binary.LittleEndian.Uint64(d.index[8*i:]), uint64(len(d.blocks))
	if i+1 < d.numBlocks() {
		to = min(to, binary.LittleEndian.Uint64(d.index[8*i+8:]))
	}
	if from >= to || !d.have(d.blocksAt+int(from), int(to-from)) {
		return nil
	}
	return d.blocks[from:to]
}

// head returns the first term of block i. It points into the buffer.
func (d *dictionary) head(i int) []byte {
	r := reader{data: d.block(i)}
	r.uvarint() // postings
	r.uvarint() // shared, always 0
	return r.bytes(r.uvarint())
}

// find returns the term's entry.
func (d *dictionary) find(term string) (entry, bool) {
	want := []byte(term)
	for it := d.seek(want); it.next(); {
		switch bytes.Compare(it.term, want) {
		case 0:
			at := d.blocksAt + len(d.blocks) + int(it.offset) - len(it.entry.postings)
			return it.entry, d.have(at, len(it.entry.postings))
		case 1:
			return entry{}, false
		}
	}
	return entry{}, false
}

// seek returns an iterator at the start of the block that would hold the term; its next term may be smaller.
func (d *dictionary) seek(term []byte) *termIterator {
	after := sort.Search(d.numBlocks(), func(i int) bool { return bytes.Compare(d.head(i), term) > 0 })
	return &termIterator{dict: d, nextBlock: max(0, after-1)}
}

// A termIterator walks a dictionary in byte order. Damage ends the walk.
type termIterator struct {
	dict      *dictionary
	nextBlock int
	r         reader // inside the present block
	left      int    // terms left in it
	offset    uint64 // of the next term's postings

	term  []byte // present term; overwritten by next
	entry entry
}

// next moves to the following term and reports whether there is one.
func (it *termIterator) next() bool {
	if it.left == 0 && !it.openBlock() {
		return false
	}
	it.left--
	shared := it.r.uvarint()
	suffix := it.r.bytes(it.r.uvarint())
	df, size := it.r.uvarint(), it.r.uvarint()
	rest := uint64(len(it.dict.postings))
	if it.r.bad || shared > uint64(len(it.term)) || it.offset > rest || size > rest-it.offset {
		it.left, it.nextBlock = 0, it.dict.numBlocks()
		return false
	}
	it.term = append(it.term[:shared], suffix...)
	it.entry = entry{df: int(min(df, size)), postings: it.dict.postings[it.offset : it.offset+size]}
	it.offset += size
	return true
}

// openBlock enters the next block and reports whether there is one.
func (it *termIterator) openBlock() bool {
	if it.nextBlock >= it.dict.numBlocks() {
		return false
	}
	done := uint64(it.nextBlock) * blockTerms
	if done >= it.dict.terms {
		return false
	}
	it.left = int(min(blockTerms, it.dict.terms-done))
	it.r = reader{data: it.dict.block(it.nextBlock)}
	it.offset = it.r.uvarint()
	it.term = it.term[:0]
	it.nextBlock++
	return true
}

// A reader takes varints and byte strings off a buffer; past the end it returns zeros and remembers.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) uvarint() uint64 {
	x, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return x
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.data)) {
		r.bad, r.data = true, nil
		return nil
	}
	b := r.data[:n:n]
	r.data = r.data[n:]
	return b
}

// A dictionaryWriter takes terms in byte order and encodes a dictionary.
type dictionaryWriter struct {
	terms    uint64
	index    []byte
	blocks   []byte
	postings []byte
	last     []byte // term before, within the block
}

// add appends the term with its encoded postings.
func (w *dictionaryWriter) add(term []byte, df int, postings []byte) {
	if w.terms%blockTerms == 0 {
		w.index = binary.LittleEndian.AppendUint64(w.index, uint64(len(w.blocks)))
		w.blocks = binary.AppendUvarint(w.blocks, uint64(len(w.postings)))
		w.last = w.last[:0]
	}
	shared := commonPrefix(w.last, term)
	w.blocks = binary.AppendUvarint(w.blocks, uint64(shared))
	w.blocks = binary.AppendUvarint(w.blocks, uint64(len(term)-shared))
	w.blocks = append(w.blocks, term[shared:]...)
	w.blocks = binary.AppendUvarint(w.blocks, uint64(df))
	w.blocks = binary.AppendUvarint(w.blocks, uint64(len(postings)))
	w.postings = append(w.postings, postings...)
	w.last = append(w.last[:shared], term[shared:]...)
	w.terms++
}

// commonPrefix returns how many leading bytes a and b share.
func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
