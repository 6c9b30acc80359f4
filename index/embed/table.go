package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"sync"
)

// The fixed parts of the format, see the package comment.
const (
	magic         = "AUREMB\r\n"
	formatVersion = 1
	summedFrom    = len(magic) + 8
	headerSize    = summedFrom + 8

	maxRows       = 1 << 20
	maxDimensions = 1024
)

// What opening a table says of bytes that it refuses; errors.Is tells them apart.
var (
	ErrDamaged = errors.New("embedding table is damaged")
	ErrVersion = errors.New("embedding table has another format version")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Row is what a table knows of one token.
type Row struct {
	Hash   uint64 // HashToken of the token
	Scale  uint16 // length of the row in a unit that all rows share
	Values []int8
}

// HashToken returns the number that stands for a token in tables: its 64-bit FNV-1a.
func HashToken(token []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range token {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}

// A table is an immutable map from the hash of a token to its row. It keeps the bytes that it was opened from.
type table struct {
	rows   int
	dims   int
	scales []byte
	values []byte
	index  func() bool // fills what follows, once, and reports whether the hashes ascend
	hashes []uint64
	slots  []uint32 // open addressing by hash: the row plus one, 0 for none
	mask   uint64
}

// Encode lays out a table. The rows may come in any order; each has dims values, and no two the same hash.
func Encode(dims int, rows []Row) ([]byte, error) {
	if dims < 1 || dims > maxDimensions || len(rows) > maxRows {
		return nil, fmt.Errorf("encode embedding table: %d rows of %d dimensions", len(rows), dims)
	}
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b Row) int {
		if a.Hash < b.Hash {
			return -1
		}
		return 1
	})
	le := binary.LittleEndian
	buf := append(make([]byte, 0, headerSize+len(rows)*(8+2+dims)), magic...)
	buf = le.AppendUint32(buf, formatVersion)
	buf = le.AppendUint32(buf, 0) // checksum, once the rest is there
	buf = le.AppendUint32(buf, uint32(len(rows)))
	buf = le.AppendUint32(buf, uint32(dims))
	for i, r := range rows {
		if len(r.Values) != dims || i > 0 && rows[i-1].Hash == r.Hash {
			return nil, fmt.Errorf("encode embedding table: row %d (token %x) is twice there or has %d values, want %d", i, r.Hash, len(r.Values), dims)
		}
		buf = le.AppendUint64(buf, r.Hash)
	}
	for _, r := range rows {
		buf = le.AppendUint16(buf, r.Scale)
	}
	for _, r := range rows {
		for _, v := range r.Values {
			buf = append(buf, byte(v))
		}
	}
	le.PutUint32(buf[len(magic)+4:], crc32.Checksum(buf[summedFrom:], castagnoli))
	return buf, nil
}

// checkSum compares the checksum of a table with its bytes, for which it reads all of them.
func checkSum(data []byte) error {
	if len(data) >= headerSize && binary.LittleEndian.Uint32(data[len(magic)+4:]) != crc32.Checksum(data[summedFrom:], castagnoli) {
		return fmt.Errorf("checksum does not match: %w", ErrDamaged)
	}
	return nil
}

// openTable returns the table that data holds. It keeps data, which must not change. It reads the header alone: checkSum tells
// whether the rest is whole, and index comes before find.
func openTable(data []byte) (*table, error) {
	if len(data) < headerSize || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("no header in %d bytes: %w", len(data), ErrDamaged)
	}
	le := binary.LittleEndian
	if v := le.Uint32(data[len(magic):]); v != formatVersion {
		return nil, fmt.Errorf("version %d, want %d: %w", v, formatVersion, ErrVersion)
	}
	t := &table{rows: int(le.Uint32(data[summedFrom:])), dims: int(le.Uint32(data[summedFrom+4:]))}
	if t.rows > maxRows || t.dims < 1 || t.dims > maxDimensions || len(data) != headerSize+t.rows*(8+2+t.dims) {
		return nil, fmt.Errorf("%d rows of %d dimensions do not fill %d bytes: %w", t.rows, t.dims, len(data), ErrDamaged)
	}
	t.scales = data[headerSize+8*t.rows:][:2*t.rows]
	t.values = data[headerSize+10*t.rows:]
	t.index = sync.OnceValue(func() bool { return t.indexHashes(data[headerSize:]) })
	return t, nil
}

// indexHashes reads the hashes, builds the slots, and reports whether the hashes ascend.
func (t *table) indexHashes(hashes []byte) bool {
	size := 16
	for size < 3*t.rows {
		size *= 2
	}
	t.hashes, t.slots, t.mask = make([]uint64, t.rows), make([]uint32, size), uint64(size-1)
	for i := range t.hashes {
		h := binary.LittleEndian.Uint64(hashes[8*i:])
		if i > 0 && h <= t.hashes[i-1] {
			return false
		}
		t.hashes[i] = h
		at := h & t.mask
		for t.slots[at] != 0 {
			at = (at + 1) & t.mask
		}
		t.slots[at] = uint32(i + 1)
	}
	return true
}

// find returns the row of a token, -1 when it has none.
func (t *table) find(hash uint64) int {
	for at := hash & t.mask; ; at = (at + 1) & t.mask {
		row := t.slots[at]
		if row == 0 {
			return -1
		}
		if t.hashes[row-1] == hash {
			return int(row) - 1
		}
	}
}

func (t *table) scale(row int) uint32 {
	return uint32(binary.LittleEndian.Uint16(t.scales[2*row:]))
}

func (t *table) row(row int) []byte { return t.values[row*t.dims:][:t.dims] }
