package vector

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/mapfile"
)

// onDisk writes a segment behind a few other bytes and maps it.
func onDisk(t *testing.T, s *Segment) (m *Segment, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "vectors")
	before := []byte("before")
	if err := os.WriteFile(path, append(before, s.Bytes()...), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	file, err := mapfile.Map(f, int64(len(before)+len(s.Bytes())))
	if errors.Is(err, mapfile.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if m, err = OpenMapped(file, int64(len(before))); err != nil {
		t.Fatal(err)
	}
	return m, path
}

func TestMappedIsLikeOnTheHeap(t *testing.T) {
	vectors := clustered(3000, 256, 5)
	heap := build(t, space, vectors)
	file, _ := onDisk(t, heap)
	if !file.Mapped() || heap.Mapped() {
		t.Error("mapped and not are confused")
	}
	q := Query{Vector: vectors[7], Space: space, Limit: 20}
	want, _ := Search([]View{{Seg: heap}}, q)
	if got, skipped := Search([]View{{Seg: file}}, q); skipped != 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d skipped, got %v\nwant %v", skipped, got, want)
	}
	if got := file.Vector(nil, 7); !reflect.DeepEqual(got, vectors[7]) {
		t.Errorf("vector %v", got)
	}
	if got := Merge([]View{{Seg: file}}); got.Mapped() || !bytes.Equal(got.Bytes(), heap.Bytes()) {
		t.Error("merging gives something else")
	}
}

// TestShortenedFile: somebody cut the file under a segment in use.
func TestShortenedFile(t *testing.T) {
	vectors := clustered(3000, 256, 5)
	heap := build(t, space, vectors)
	cut := func() *Segment {
		file, path := onDisk(t, heap)
		if err := os.Truncate(path, 4096); err != nil {
			t.Fatal(err)
		}
		return file
	}
	q := Query{Vector: vectors[7], Space: space, Limit: 20}
	lost := cut()
	got, skipped := Search([]View{{Seg: lost}, {Seg: heap}}, q)
	if want, _ := Search([]View{{}, {Seg: heap}}, q); skipped != len(vectors) || !reflect.DeepEqual(got, want) {
		t.Errorf("%d skipped, got %v\nwant %v", skipped, got, want)
	}
	if !lost.Lost() || heap.Lost() {
		t.Error("it is not told which one is lost")
	}
	if got := cut().Vector(nil, 2999); got != nil {
		t.Errorf("a vector came from nowhere: %v", got)
	}
	if Merge([]View{{Seg: heap}, {Seg: cut()}}) != nil || Merge([]View{{Seg: lost}}) != nil {
		t.Error("half a segment was made")
	}
}

func TestCheckRefusesDamage(t *testing.T) {
	good := build(t, space, clustered(20, 24, 3)).Bytes()
	if err := Check(bytes.NewReader(good), int64(len(good))); err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 0x10
		if err := Check(bytes.NewReader(bad), int64(len(bad))); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrVersion) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		if Check(bytes.NewReader(good[:i]), int64(i)) == nil || Check(bytes.NewReader(good[:i]), int64(len(good))) == nil {
			t.Fatalf("cut to %d bytes: no error", i)
		}
	}
	for _, offset := range []int64{-1, 1, 1 << 40} {
		file, _ := onDisk(t, build(t, space, nil))
		if _, err := OpenMapped(file.file, offset); !errors.Is(err, ErrDamaged) {
			t.Errorf("offset %d: %v", offset, err)
		}
	}
}
