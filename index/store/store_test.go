package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/filelock"
)

// withStore runs the test on a new store.
func withStore(t *testing.T, test func(t *testing.T, c *clock, s *Store)) {
	c := &clock{time.UnixMilli(1_000_000)}
	test(t, c, open(t, filepath.Join(t.TempDir(), "a #?% dir", "index"), Options{Now: c.read}))
}

func TestFilesComeBackAsTheyWere(t *testing.T) {
	withStore(t, func(t *testing.T, c *clock, s *Store) {
		plain, odd := row("/w", "b.go"), row("/w", "a/\xff odd 'name\".go")
		bare := FileRow{FileID: FileID{"/w", "c.bin"}, Size: 1 << 40, MTimeNS: -1}
		apply(t, s, Batch{Upserts: []FileRow{plain, odd, bare, row("/other", "x.go")}})

		got, err := s.LoadFiles(t.Context(), "/w")
		if err != nil {
			t.Fatal(err)
		}
		want := []FileRow{odd, plain, bare}
		for i := range want {
			want[i].IndexedAtMS = 1_000_000
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %+v\nwant %+v", got, want)
		}
	})
}

func TestApplyReplacesAndDeletes(t *testing.T) {
	withStore(t, func(t *testing.T, c *clock, s *Store) {
		apply(t, s, batchOf("/w", "d", 3))
		changed := row("/w", "d/000001.go")
		changed.Size, changed.Hash = 99, [32]byte{1}
		c.now = c.now.Add(time.Second)
		apply(t, s, Batch{
			Deletes: []FileID{{"/w", "d/000000.go"}, {"/w", "not there"}, changed.FileID},
			Upserts: []FileRow{changed},
		})
		files, err := s.LoadFiles(t.Context(), "/w")
		if err != nil || len(files) != 2 {
			t.Fatalf("%d files, %v", len(files), err)
		}
		changed.IndexedAtMS = 1_001_000
		if files[0] != changed || files[1].IndexedAtMS != 1_000_000 {
			t.Errorf("got %+v", files)
		}
	})
}

func TestReopenFindsEverything(t *testing.T) {
	dir := t.TempDir()
	first := open(t, dir, Options{})
	apply(t, first, batchOf("/w", "d", 50))
	if first.SizeBytes() == 0 || first.Recovered() != "" {
		t.Errorf("size %d, recovered %q", first.SizeBytes(), first.Recovered())
	}
	closeStore(t, first)
	if _, err := os.Stat(databasePath(dir) + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Close left the write-ahead log: %v", err)
	}
	second := open(t, dir, Options{})
	if got := paths(t, second, "/w"); len(got) != 50 || second.Recovered() != "" {
		t.Errorf("%d files, recovered %q", len(got), second.Recovered())
	}
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes here")
	}
	dir := filepath.Join(t.TempDir(), "new")
	s := open(t, dir, Options{})
	apply(t, s, batchOf("/w", "d", 1))
	for path, want := range map[string]os.FileMode{
		dir: 0o700, databasePath(dir): 0o600, databasePath(dir) + "-wal": 0o600, filepath.Join(dir, lockName): 0o600,
	} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
}

func TestSecondStoreReadsUntilTheFirstIsGone(t *testing.T) {
	dir := t.TempDir()
	writer := open(t, dir, Options{})
	apply(t, writer, batchOf("/w", "d", 2))

	reader := open(t, dir, Options{})
	if !writer.Writer() || reader.Writer() {
		t.Fatalf("writers: first %v, second %v", writer.Writer(), reader.Writer())
	}
	if got := paths(t, reader, "/w"); len(got) != 2 {
		t.Errorf("the reader sees %q", got)
	}
	for name, err := range map[string]error{
		"Apply": reader.Apply(t.Context(), batchOf("/w", "e", 1)), "Rebuild": reader.Rebuild(t.Context()),
		"SaveJob": reader.SaveJob(t.Context(), JobRow{ID: "j"}),
	} {
		if !errors.Is(err, ErrNotWriter) {
			t.Errorf("%s of a reader: %v", name, err)
		}
	}
	apply(t, writer, batchOf("/w", "e", 1))
	if got := paths(t, reader, "/w"); len(got) != 3 {
		t.Errorf("the reader sees %q after another batch", got)
	}
	closeStore(t, writer)
	if third := open(t, dir, Options{}); !third.Writer() {
		t.Error("the lock of a closed store is not free")
	}
}

func TestReaderBeforeThereIsADatabase(t *testing.T) {
	dir := t.TempDir()
	unlock, err := filelock.Try(filepath.Join(dir, lockName))
	if err != nil || unlock == nil {
		t.Fatal(err)
	}
	defer func() { _ = unlock() }()
	s := open(t, dir, Options{})
	if got := paths(t, s, "/w"); len(got) != 0 || s.Writer() {
		t.Errorf("files %q, writer %v", got, s.Writer())
	}
	if _, err := os.Stat(databasePath(dir)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a reader created the database: %v", err)
	}
}

func TestClosedStore(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	closeStore(t, s)
	closeStore(t, s)
	_, loadErr := s.LoadFiles(t.Context(), "/w")
	for _, err := range []error{loadErr, s.SaveJob(t.Context(), JobRow{ID: "j"}), s.Apply(t.Context(), Batch{}), s.Rebuild(t.Context())} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
	}
}

func TestRebuildStartsEmpty(t *testing.T) {
	withStore(t, func(t *testing.T, _ *clock, s *Store) {
		apply(t, s, batchOf("/w", "d", 5))
		if err := s.Rebuild(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := paths(t, s, "/w"); len(got) != 0 {
			t.Errorf("%q after Rebuild", got)
		}
		apply(t, s, batchOf("/w", "d", 5))
		if got := paths(t, s, "/w"); len(got) != 5 || integrity(t, s) != "ok" {
			t.Errorf("%q after Rebuild and Apply", got)
		}
	})
}

func TestManyReadersAndOneWriter(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	apply(t, s, batchOf("/w", "0", 10))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				files, err := s.LoadFiles(t.Context(), "/w")
				if err != nil || len(files)%10 != 0 {
					t.Errorf("%d files, %v", len(files), err)
					return
				}
			}
		})
	}
	for _, writer := range []string{"a", "b"} {
		wg.Go(func() {
			for i := range 10 {
				if err := s.Apply(t.Context(), batchOf("/w", fmt.Sprint(writer, i), 10)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := paths(t, s, "/w"); len(got) != 210 {
		t.Errorf("%d files, want 210", len(got))
	}
}

func TestErrorsSayOperationAndCause(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	closeStore(t, s)
	if err := s.Apply(t.Context(), Batch{}); !strings.HasPrefix(err.Error(), "store batch: ") {
		t.Errorf("got %q", err)
	}
}
