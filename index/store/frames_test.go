package store

import (
	"bytes"
	"testing"
)

func TestFrames(t *testing.T) {
	data := append(bytes.Repeat([]byte("func main() {}\n"), 20_000), noise(FrameSize+5)...)
	for name, cuts := range map[string][]int{"even": EvenCuts(len(data)), "one": {len(data)}, "uneven": {1, 70_000, 70_001, len(data)}} {
		packed := append([]byte("before"), PackFrames(data, cuts)...)
		f, err := OpenFrames(bytes.NewReader(append(packed, "behind"...)), 6, int64(len(packed)-6))
		if err != nil {
			t.Fatal(name, err)
		}
		if f.Size() != len(data) || f.Len() != len(cuts) {
			t.Errorf("%s: %d bytes in %d frames", name, f.Size(), f.Len())
		}
		var buf []byte
		for _, offset := range []int{len(data) - 1, 0, 1, 69_999, 70_000, 70_001, len(data) / 2} { // in any order
			i := f.Of(offset)
			from, to := f.Range(i)
			if offset < from || offset >= to {
				t.Fatalf("%s: byte %d is not in frame %d, %d to %d", name, offset, i, from, to)
			}
			if buf, err = f.Unpack(i, buf); err != nil || !bytes.Equal(buf, data[from:to]) {
				t.Errorf("%s: frame %d came back as %d bytes, %v", name, i, len(buf), err)
			}
		}
		if i := f.Of(len(data)); i != f.Len() {
			t.Errorf("%s: what is behind the end is in frame %d", name, i)
		}
	}
}

func TestNoFrames(t *testing.T) {
	packed := PackFrames(nil, EvenCuts(0))
	f, err := OpenFrames(bytes.NewReader(packed), 0, int64(len(packed)))
	if err != nil || f.Size() != 0 || f.Len() != 0 {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestDamagedFrames: no damage is unpacked, or does harm.
func TestDamagedFrames(t *testing.T) {
	data := bytes.Repeat([]byte("package p\n"), 30_000)
	good := PackFrames(data, EvenCuts(len(data)))
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x81
		f, err := OpenFrames(bytes.NewReader(bad), 0, int64(len(bad)))
		if err != nil {
			continue
		}
		var all []byte
		for i := range f.Len() {
			part, err := f.Unpack(i, nil)
			if err != nil {
				all = nil
				break
			}
			all = append(all, part...)
		}
		if all != nil && !bytes.Equal(all, data) {
			t.Fatalf("byte %d changed: other data came back", i)
		}
	}
	for n := range len(good) {
		if f, err := OpenFrames(bytes.NewReader(good[:n]), 0, int64(n)); err == nil {
			t.Fatalf("cut to %d bytes it has %d frames", n, f.Len())
		}
	}
}

// FuzzFrames opens frames of any bytes and unpacks each. What was packed comes back.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("some text that is packed"), false)
	f.Add(PackFrames([]byte("some text that is packed"), []int{4, 24}), true)
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), true) // more frames than an int counts
	f.Fuzz(func(t *testing.T, data []byte, packed bool) {
		file := data
		if !packed {
			file = PackFrames(data, EvenCuts(len(data)))
		}
		frames, err := OpenFrames(bytes.NewReader(file), 0, int64(len(file)))
		if err != nil {
			if !packed {
				t.Fatal(err)
			}
			return
		}
		var all []byte
		for i := range frames.Len() {
			piece, err := frames.Unpack(i, nil)
			if err != nil && !packed {
				t.Fatal(err)
			}
			all = append(all, piece...)
		}
		if !packed && !bytes.Equal(all, data) {
			t.Errorf("%q came back as %q", data, all)
		}
	})
}
