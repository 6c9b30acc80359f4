package leafpage

import (
	"encoding/binary"
	"errors"
	"math"
)

// A Source has the pages of a database, of PageSize bytes each, numbered from 1.
type Source interface {
	PageSize() int
	Pages() int64
	Page(n int64, buf []byte) error // fails for a page that can't be read
}

// A Row is what a page holds of a row: its number and its values, each an int64, a float64, a string, a []byte or nil. Values that the table
// got after the row was written are missing.
type Row struct {
	ID     int64
	Values []any
}

const (
	leafOfTable = 0x0D
	maxRow      = 64 << 20 // bytes; a longer one is taken for damaged
)

var errDamaged = errors.New("the page is damaged")

// Each calls f with every row that can be read of the leaf pages of tables, in the order of the pages, until f fails. Page 1
// has a header before it, and no rows but the schema's; it is left out.
func Each(s Source, f func(Row) error) error {
	buf := make([]byte, s.PageSize())
	for n := int64(2); n <= s.Pages(); n++ {
		if s.Page(n, buf) != nil || buf[0] != leafOfTable {
			continue
		}
		for i := range int(binary.BigEndian.Uint16(buf[3:])) {
			row, err := readCell(s, buf, i)
			if err != nil {
				continue // the others of the page may be whole
			}
			if err := f(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// readCell reads the i-th row of a leaf page.
func readCell(s Source, page []byte, i int) (Row, error) {
	const header = 8
	pointer := header + 2*i
	if pointer+2 > len(page) {
		return Row{}, errDamaged
	}
	at := int(binary.BigEndian.Uint16(page[pointer:]))
	if at < pointer+2 || at >= len(page) {
		return Row{}, errDamaged
	}
	size, n := varint(page[at:])
	id, m := varint(page[at+n:])
	if n == 0 || m == 0 || size > min(maxRow, uint64(s.Pages())*uint64(len(page))) {
		return Row{}, errDamaged
	}
	payload, err := readPayload(s, page[at+n+m:], int(size))
	if err != nil {
		return Row{}, err
	}
	values, err := readValues(payload)
	return Row{ID: int64(id), Values: values}, err
}

// readPayload returns the bytes of a row: those in its page, which cell begins with, and those on overflow pages.
func readPayload(s Source, cell []byte, size int) ([]byte, error) {
	usable := s.PageSize()
	local, least := size, (usable-12)*32/255-23
	if size > usable-35 {
		if local = least + (size-least)%(usable-4); local > usable-35 {
			local = least
		}
	}
	if local == size {
		if size > len(cell) {
			return nil, errDamaged
		}
		return cell[:size], nil
	}
	if local+4 > len(cell) {
		return nil, errDamaged
	}
	payload := append(make([]byte, 0, local), cell[:local]...)
	return appendOverflow(s, payload, int64(binary.BigEndian.Uint32(cell[local:])), size)
}

// appendOverflow adds what is on a chain of overflow pages until there are size bytes.
func appendOverflow(s Source, payload []byte, next int64, size int) ([]byte, error) {
	buf := make([]byte, s.PageSize())
	for len(payload) < size {
		if next < 2 || next > s.Pages() || s.Page(next, buf) != nil {
			return nil, errDamaged
		}
		payload = append(payload, buf[4:4+min(len(buf)-4, size-len(payload))]...)
		next = int64(binary.BigEndian.Uint32(buf))
	}
	return payload, nil
}

// readValues reads a row: a header with the types of its values, and the values.
func readValues(payload []byte) ([]any, error) {
	size, n := varint(payload)
	if n == 0 || size < uint64(n) || size > uint64(len(payload)) {
		return nil, errDamaged
	}
	var values []any
	types, body := payload[n:size], payload[size:]
	for len(types) > 0 {
		kind, n := varint(types)
		if n == 0 {
			return nil, errDamaged
		}
		value, length, err := readValue(kind, body)
		if err != nil {
			return nil, err
		}
		values, types, body = append(values, value), types[n:], body[length:]
	}
	if len(body) > 0 {
		return nil, errDamaged
	}
	return values, nil
}

// widths are the lengths in bytes of the values of serial types 0 to 9.
var widths = [...]int{0, 1, 2, 3, 4, 6, 8, 8, 0, 0}

// readValue reads the value of a serial type that a text begins with.
func readValue(kind uint64, body []byte) (value any, length int, err error) {
	switch {
	case kind < uint64(len(widths)):
		length = widths[kind]
	case kind < 12 || kind > 2*maxRow:
		return nil, 0, errDamaged
	default:
		length = int(kind-12) / 2
	}
	if length > len(body) {
		return nil, 0, errDamaged
	}
	raw := body[:length]
	switch {
	case kind == 0:
		return nil, 0, nil
	case kind == 7:
		return math.Float64frombits(binary.BigEndian.Uint64(raw)), length, nil
	case kind == 8 || kind == 9:
		return int64(kind - 8), 0, nil
	case kind < 7:
		return signed(raw), length, nil
	case kind%2 == 1:
		return string(raw), length, nil
	}
	return append([]byte{}, raw...), length, nil
}

// signed reads a big-endian number in two's complement.
func signed(raw []byte) int64 {
	n := int64(int8(raw[0]))
	for _, b := range raw[1:] {
		n = n<<8 | int64(b)
	}
	return n
}

// varint reads a number of one to nine bytes, and returns how many they are, 0 when the text ends within it.
func varint(text []byte) (value uint64, n int) {
	for i, b := range text[:min(9, len(text))] {
		if i == 8 {
			return value<<8 | uint64(b), 9
		}
		value = value<<7 | uint64(b&0x7F)
		if b < 0x80 {
			return value, i + 1
		}
	}
	return 0, 0
}
