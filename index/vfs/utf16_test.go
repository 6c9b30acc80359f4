package vfs

import (
	"encoding/binary"
	"errors"
	"testing"
	"unicode/utf16"
)

func inUTF16(order binary.AppendByteOrder, mark bool, text string) string {
	var out []byte
	if mark {
		out = order.AppendUint16(out, 0xfeff)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

func TestReadUTF16(t *testing.T) {
	const text = "package p\r\n\n// 😀 grüßt 账单.\nfunc Wide() {}\n"
	w := newTree(t)
	for name, data := range map[string]string{
		"little, marked": inUTF16(binary.LittleEndian, true, text), "big, marked": inUTF16(binary.BigEndian, true, text),
		"little": inUTF16(binary.LittleEndian, false, text), "big": inUTF16(binary.BigEndian, false, text), "UTF-8": "\ufeff" + text,
	} {
		w.write("f", data)
		c, err := Read(w.path("f"), 0)
		if err != nil || string(c.Text) != text || c.Size != int64(len(data)) || c.Invalid {
			t.Errorf("%s: %q, %d bytes, %v", name, c.Text, c.Size, err)
		}
	}
	for name, data := range map[string]string{
		"UTF-32": "\xff\xfe\x00\x00a\x00\x00\x00", "no text": inUTF16(binary.LittleEndian, true, "\x01\x02\x03\x00\x05a"),
		"numbers": "\x01\x00\x02\x00\x03\x00\x04\x00", "odd length": inUTF16(binary.LittleEndian, false, text) + "a",
	} {
		w.write("f", data)
		if c, err := Read(w.path("f"), 0); !errors.Is(err, ErrBinary) || !c.Binary {
			t.Errorf("%s: %q, %v", name, c.Text, err)
		}
	}
}
