package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func openCache(t testing.TB, dir string, opts Options) *Cache {
	t.Helper()
	c, err := OpenCache(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func store(t testing.TB, c *Cache, contents map[Key][]byte) {
	t.Helper()
	if err := c.Store(t.Context(), contents); err != nil {
		t.Fatal(err)
	}
}

// noise is n bytes that can't be packed.
func noise(n int) []byte {
	data := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{}).Read(data) // never fails
	return data
}

// numbered is the i-th of many keys.
func numbered(i int) Key { return ContentKey([32]byte{}, "go", i) }

// has tells which of the first n numbered contents the cache has.
func has(t *testing.T, c *Cache, n int) string {
	t.Helper()
	var b strings.Builder
	for i := range n {
		_, ok, err := c.Load(t.Context(), numbered(i))
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			fmt.Fprint(&b, i)
		}
	}
	return b.String()
}

func cachePath(dir string) string { return cacheLayout.in(dir, Options{}).path }

func TestContentKeyTellsInputsApart(t *testing.T) {
	seen := map[Key]bool{}
	for _, hash := range [][32]byte{{}, {1}} {
		for _, language := range []string{"", "go", "g"} {
			for _, v := range []int{0, 1, -1, 300} {
				seen[ContentKey(hash, language, v)] = true
			}
		}
	}
	if len(seen) != 2*3*4 {
		t.Errorf("%d keys of 24", len(seen))
	}
}

func TestContentsComeBackByKey(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a #?% dir", "cache")
	c := openCache(t, dir, Options{})
	store(t, c, map[Key][]byte{numbered(0): []byte("zero"), numbered(1): nil, numbered(2): noise(1 << 20)})
	store(t, c, map[Key][]byte{numbered(0): []byte("again")})
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c = openCache(t, dir, Options{})
	if got := has(t, c, 4); got != "012" {
		t.Errorf("has %s, want 012", got)
	}
	if data, _, _ := c.Load(t.Context(), numbered(0)); string(data) != "again" {
		t.Errorf("got %q", data)
	}
	if c.SizeBytes() < 1<<20 || c.Recovered() != "" {
		t.Errorf("size %d, recovered %q", c.SizeBytes(), c.Recovered())
	}
}

func TestContentOfAnotherKeyIsNotBelieved(t *testing.T) {
	c := openCache(t, t.TempDir(), Options{})
	store(t, c, map[Key][]byte{numbered(0): []byte("zero"), numbered(1): []byte("one"), numbered(2): []byte("two")})
	if _, err := c.db.Exec("UPDATE content SET data = (SELECT data FROM content WHERE key = ?1) WHERE key = ?2; UPDATE content SET data = x'00' WHERE key = ?3",
		sliceOf(numbered(0)), sliceOf(numbered(1)), sliceOf(numbered(2))); err != nil {
		t.Fatal(err)
	}
	if got := has(t, c, 3); got != "0" {
		t.Errorf("has %s, want 0", got)
	}
}

func sliceOf(k Key) []byte { return k[:] }

func TestCacheShrinksToWhatIsUsed(t *testing.T) {
	now := &clock{time.UnixMilli(0).Add(1000 * 24 * time.Hour)}
	dir := t.TempDir()
	c := openCache(t, dir, Options{Now: now.read})
	kilobyte := noise(1000)
	shrink := func(maxBytes int64, want int64) {
		t.Helper()
		if n, err := c.Shrink(t.Context(), maxBytes, 30*24*time.Hour); n != want || err != nil {
			t.Errorf("dropped %d, %v, want %d", n, err, want)
		}
	}
	for i := range 6 { // one a day
		store(t, c, map[Key][]byte{numbered(i): kilobyte})
		now.now = now.now.Add(24 * time.Hour)
	}
	shrink(1<<20, 0)
	now.now = now.now.Add(24 * time.Hour)
	if got := has(t, c, 1); got != "0" { // used today
		t.Fatalf("has %q", got)
	}
	store(t, c, map[Key][]byte{numbered(6): kilobyte}) // too few uses to write down
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c = openCache(t, dir, Options{Now: now.read})
	shrink(4300, 3) // 6 and 0 are of today, then come 5 and 4
	if got := has(t, c, 7); got != "0456" {
		t.Errorf("has %s, want 0456", got)
	}
	shrink(1, 0) // once a day
	now.now = now.now.Add(31 * 24 * time.Hour)
	shrink(1<<20, 4)
}

// TestCacheIsShared: several processes' worth of caches over one file.
func TestCacheIsShared(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			c, err := OpenCache(t.Context(), dir, Options{})
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 25 {
				if err := c.Store(t.Context(), map[Key][]byte{numbered(i): []byte("the same"), numbered(1000*w + i): []byte("own")}); err != nil {
					t.Error(err)
				}
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	c := openCache(t, dir, Options{})
	for w := range 4 {
		for i := range 25 {
			if _, ok, err := c.Load(t.Context(), numbered(1000*w+i)); !ok || err != nil {
				t.Fatalf("writer %d, content %d: %v, %v", w, i, ok, err)
			}
		}
	}
}

func TestUnusableCacheStartsAnew(t *testing.T) {
	for name, spoil := range map[string]func([]byte) []byte{
		"cut":           func(b []byte) []byte { return b[:len(b)/2] },
		"garbage":       func([]byte) []byte { return []byte(strings.Repeat("no database ", 1000)) },
		"other version": func(b []byte) []byte { binary.BigEndian.PutUint32(b[60:], 99); return b },
		"a workspace's": func(b []byte) []byte { binary.BigEndian.PutUint32(b[68:], uint32(workspaceLayout.id)); return b },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c := openCache(t, dir, Options{})
			store(t, c, map[Key][]byte{numbered(0): noise(1 << 16)})
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			change(t, cachePath(dir), spoil)
			c = openCache(t, dir, Options{})
			if c.Recovered() == "" || has(t, c, 1) != "" {
				t.Errorf("recovered %q, has %q", c.Recovered(), has(t, c, 1))
			}
			store(t, c, map[Key][]byte{numbered(0): []byte("new")})
			if has(t, c, 1) != "0" {
				t.Error("a new cache keeps nothing")
			}
		})
	}
}

func TestClosedAndFullCaches(t *testing.T) {
	full := openCache(t, t.TempDir(), Options{MaxBytes: 16 * pageSize})
	if err := full.Store(t.Context(), map[Key][]byte{numbered(0): noise(1 << 20)}); !errors.Is(err, ErrFull) {
		t.Errorf("got %v, want ErrFull", err)
	}
	store(t, full, map[Key][]byte{numbered(1): []byte("small")})
	if got := has(t, full, 2); got != "1" {
		t.Errorf("has %s, want 1", got)
	}
	closed := openCache(t, t.TempDir(), Options{})
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, loadErr := closed.Load(t.Context(), numbered(0))
	_, shrinkErr := closed.Shrink(t.Context(), 0, 0)
	for _, err := range []error{loadErr, shrinkErr, closed.Store(t.Context(), map[Key][]byte{numbered(0): nil})} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
	}
	if runtime.GOOS != "windows" {
		if info, err := os.Stat(cachePath(full.place.path[:len(full.place.path)-len(cacheLayout.file())])); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
	}
}

// TestRebuildOnce: of two who met the same damage, the second leaves alone what the first has made.
func TestRebuildOnce(t *testing.T) {
	c, err := OpenCache(t.Context(), t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	met := c.Opened()
	if err := c.Rebuild(t.Context(), met); err != nil {
		t.Fatal(err)
	}
	key := Key{1}
	if err := c.Store(t.Context(), map[Key][]byte{key: []byte("kept")}); err != nil {
		t.Fatal(err)
	}
	if err := c.Rebuild(t.Context(), met); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := c.Load(t.Context(), key); !ok || err != nil {
		t.Errorf("the second rebuild emptied the new database: %v, %v", ok, err)
	}
	if err := c.Rebuild(t.Context(), c.Opened()); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := c.Load(t.Context(), key); ok || err != nil {
		t.Errorf("the present database was not emptied: %v, %v", ok, err)
	}
}
