package embedder

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/aurora-sidecar/aurora/index/embed"
)

func TestFileCacheSurvives(t *testing.T) {
	dir, id := t.TempDir(), embed.ID{Model: "m", Dimensions: 3}
	open := func() *FileCache {
		t.Helper()
		c, err := OpenFileCache(dir, id)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first, second := open(), open() // two processes
	first.Put(NewKey("m", "a"), embed.Vector{1, -2, 127})
	second.Put(NewKey("m", "b"), embed.Vector{4, 5, 6})
	first.Put(NewKey("m", "c"), embed.Vector{1}) // of another length
	first.Close()
	second.Close()

	c := open()
	if v, ok := c.Get(NewKey("m", "a")); !ok || v[1] != -2 || v[2] != 127 || c.Len() != 2 {
		t.Fatalf("%v, %v, %d vectors", v, ok, c.Len())
	}
	c.Close()
	file := filepath.Join(dir, spaceFile(id))
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]struct {
		data []byte
		left int
	}{
		"cut":       {whole[:len(whole)-1], 1},
		"flipped":   {append(append([]byte{}, whole[:len(whole)-3]...), whole[len(whole)-3]^1, whole[len(whole)-2], whole[len(whole)-1]), 1},
		"foreign":   {[]byte("something else entirely"), 0},
		"empty":     {nil, 0},
		"undamaged": {whole, 2},
	} {
		if err := os.WriteFile(file, damage.data, 0o600); err != nil {
			t.Fatal(err)
		}
		c := open()
		if c.Len() != damage.left {
			t.Errorf("%s: %d vectors, want %d", name, c.Len(), damage.left)
		}
		c.Put(NewKey("m", "new"), embed.Vector{7, 8, 9})
		c.Close()
		if c = open(); c.Len() != damage.left+1 {
			t.Errorf("%s: %d vectors after one more, want %d", name, c.Len(), damage.left+1)
		}
		c.Close()
	}
	if n, err := RemoveOthers(dir, embed.ID{Model: "n", Dimensions: 3}); n != 1 || err != nil {
		t.Errorf("removed %d, %v", n, err)
	}
}

func TestIdentityFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	if id, err := LoadIdentity(dir); id != nil || err != nil {
		t.Fatalf("%v, %v", id, err)
	}
	want := Identity{ID: embed.ID{Model: "m", Dimensions: 2, Fingerprint: 7}, Probe: []embed.Vector{{1, 2}}}
	if err := want.Save(dir); err != nil {
		t.Fatal(err)
	}
	got, err := LoadIdentity(dir)
	if err != nil || got.ID != want.ID || len(got.Probe) != 1 || got.Probe[0][1] != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(dir, identityName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := LoadIdentity(dir); got != nil || err != nil {
		t.Errorf("a damaged file gave %v, %v", got, err)
	}
}
