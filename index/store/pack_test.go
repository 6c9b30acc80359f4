package store

import (
	"bytes"
	"testing"
)

func TestPack(t *testing.T) {
	for _, data := range [][]byte{nil, {0}, bytes.Repeat([]byte("func main() {}\n"), 1000), noise(5000)} {
		packed := Pack(data)
		got, err := Unpack(packed)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes came back as %d, %v", len(data), len(got), err)
		}
		for _, bad := range [][]byte{packed[:len(packed)-1], append([]byte("x"), packed...), flipped(packed)} {
			if _, err := Unpack(bad); err == nil {
				t.Errorf("a damaged frame of %d bytes was unpacked", len(data))
			}
		}
	}
	if n := len(Pack(bytes.Repeat([]byte("func main() {}\n"), 1000))); n > 500 {
		t.Errorf("packed into %d bytes", n)
	}
}

// flipped returns a copy with the last bit flipped, which belongs to the checksum.
func flipped(b []byte) []byte {
	b = bytes.Clone(b)
	b[len(b)-1] ^= 1
	return b
}
