package vfs

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// decode returns the text of a file in UTF-8, without a byte order mark. What is no text is ErrBinary.
func decode(data []byte) ([]byte, error) {
	text := bytes.TrimPrefix(data, utf8BOM)
	if order := utf16Order(data); order != nil {
		text = decodeUTF16(data, order)
	}
	if isBinary(text) {
		return nil, ErrBinary
	}
	return text, nil
}

// utf16Order returns the byte order of a text in UTF-16, nil for what is none. Without a byte order mark it is known by its
// ASCII characters, of which code is full: every other byte of them is zero.
func utf16Order(data []byte) binary.ByteOrder {
	whole := len(data) <= sniffLength
	switch {
	case whole && len(data)%2 != 0:
		return nil
	case bytes.HasPrefix(data, []byte{0xff, 0xfe, 0, 0}): // UTF-32
		return nil
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return binary.BigEndian
	}
	start := data[:min(len(data), sniffLength)&^1]
	var zeros [2]int // at even and at odd places
	for i, b := range start {
		if b == 0 {
			zeros[i%2]++
		}
	}
	switch most := len(start) / 4; { // half of the characters; the other half of one is zero now and then
	case zeros[1] > most && 20*zeros[0] < zeros[1]:
		return binary.LittleEndian
	case zeros[0] > most && 20*zeros[1] < zeros[0]:
		return binary.BigEndian
	}
	return nil
}

// decodeUTF16 leaves out a byte order mark and the half of a character at the end.
func decodeUTF16(data []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, 0, len(data)/2)
	for ; len(data) >= 2; data = data[2:] {
		units = append(units, order.Uint16(data))
	}
	if len(units) > 0 && units[0] == 0xfeff {
		units = units[1:]
	}
	text := make([]byte, 0, len(units))
	for _, r := range utf16.Decode(units) {
		text = utf8.AppendRune(text, r)
	}
	return text
}
