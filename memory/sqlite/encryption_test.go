package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/memory"
)

// With it all tests and benchmarks of the package encrypt the stores that they make.
var encrypted = flag.Bool("encrypted", false, "encrypt all stores")

var flagKeys = sync.OnceValue(func() *atrest.Keys {
	k, err := atrest.Generate()
	if err != nil {
		panic(err)
	}
	return k
})

func newKeys(t testing.TB) *atrest.Keys {
	t.Helper()
	k, err := atrest.Generate()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func sealedWith(k *atrest.Keys) Options {
	return Options{Encryption: Encryption{Enabled: true, Keys: k}}
}

// withKeys hands keys to another process of these tests.
func withKeys(command *exec.Cmd, keys *atrest.Keys) *exec.Cmd {
	if keys != nil {
		command.Env = append(command.Env, "AURORA_TEST_KEYS="+keys.Secret())
	}
	return command
}

// roleEncryption is what withKeys handed over.
func roleEncryption() Encryption {
	keys, err := atrest.Parse(os.Getenv("AURORA_TEST_KEYS"))
	return Encryption{Enabled: err == nil, Keys: keys}
}

func TestConformanceEncrypted(t *testing.T) {
	keys := newKeys(t)
	testConformance(t, func() memory.Store { return openAt(t, filepath.Join(t.TempDir(), "memory.db"), sealedWith(keys)) })
}

// tree is what all files of a folder hold.
func tree(t *testing.T, folder string) map[string][32]byte {
	t.Helper()
	sums := map[string][32]byte{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		sums[d.Name()] = sha256.Sum256(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// unreadable fails when a file of the folder shows the text.
func unreadable(t *testing.T, folder, text string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(text)) {
			t.Errorf("%s can be read", d.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWrongKeyTouchesNothing(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "memory.db")
	keys := newKeys(t)
	s := openAt(t, path, sealedWith(keys))
	mustRemember(t, s, "precious")
	s.Close()
	openAt(t, path, sealedWith(keys)).Close() // its lock file is there by now
	before := tree(t, folder)
	for name, c := range map[string]struct {
		e    Encryption
		want error
		says string
	}{
		"another key":               {Encryption{Enabled: true, Keys: newKeys(t)}, atrest.ErrWrongKey, "does not fit"},
		"another key, switched off": {Encryption{Keys: newKeys(t)}, atrest.ErrWrongKey, "another key"},
		"no key":                    {Encryption{}, atrest.ErrNoKey, "there is no key"},
		"no key, and why":           {Encryption{Enabled: true, NoKeys: fmt.Errorf("%w: K is not set", atrest.ErrNoKey)}, atrest.ErrNoKey, "K is not set"},
	} {
		_, err := Open(t.Context(), path, Options{Encryption: c.e})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "memory.db is encrypted") {
			t.Errorf("%s: %v", name, err)
		}
		s := OpenOrMemory(t.Context(), path, Options{Encryption: c.e})
		if w := s.Warning(); !strings.Contains(w, "kept only until AURORA exits") || !strings.Contains(w, "aurora mem encryption") {
			t.Errorf("%s: warning %q", name, w)
		}
		if got := found(t, s, "precious"); len(got) != 0 {
			t.Errorf("%s: found %q", name, got)
		}
		s.Close()
		if _, err := Convert(t.Context(), path, c.e); !errors.Is(err, c.want) {
			t.Errorf("%s: converted, %v", name, err)
		}
		if after := tree(t, folder); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%s: the files have changed: %v, %v", name, before, after)
		}
	}
	if got := found(t, openAt(t, path, Options{Encryption: Encryption{Keys: keys}}), "precious"); len(got) != 1 {
		t.Errorf("with the right key: %q", got)
	}
}

// Without a key nothing is written plainly where it should be encrypted.
func TestNewStoreNeedsTheKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	if _, err := Open(t.Context(), path, Options{Encryption: Encryption{Enabled: true}}); !errors.Is(err, atrest.ErrNoKey) {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was made")
	}
}

func TestPlainStoreIsReportedWhenItShouldNotBe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openAt(t, path, Options{Encryption: Encryption{Keys: newKeys(t)}})
	mustRemember(t, s, "precious")
	s.Close()
	s = openAt(t, path, sealedWith(newKeys(t)))
	if !strings.Contains(s.Warning(), "not encrypted yet") || len(found(t, s, "precious")) != 1 || s.KeyOf() != nil {
		t.Errorf("warning %q", s.Warning())
	}
}

func TestConvert(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "memory.db")
	first, second := newKeys(t), newKeys(t)
	s := openAt(t, path, Options{Encryption: Encryption{Keys: first}})
	for i := range 300 {
		mustRemember(t, s, fmt.Sprintf("precious item%d: %s", i, strings.Repeat("words ", i)))
	}
	if _, err := Convert(t.Context(), path, Encryption{Enabled: true, Keys: first}); !errors.Is(err, ErrInUse) {
		t.Fatalf("while it was open: %v", err)
	}
	mustRemember(t, s, "precious afterwards")
	s.Close()

	step := func(name string, e Encryption, want bool) {
		t.Helper()
		if converted, err := Convert(t.Context(), path, e); converted != want || err != nil {
			t.Fatalf("%s: converted %v, %v", name, converted, err)
		}
		state := StateOf(path, e)
		if state.Encrypted != e.Enabled || state.Err != nil || e.Enabled && !state.Current {
			t.Fatalf("%s: %+v", name, state)
		}
		if e.Enabled {
			unreadable(t, folder, "precious")
		}
		s := openAt(t, path, Options{Encryption: e})
		if len(found(t, s, "item77")) != 1 || len(found(t, s, "afterwards")) != 1 || s.Warning() != "" {
			t.Errorf("%s: warning %q", name, s.Warning())
		}
		if err := checkHealth(t.Context(), s.database); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		mustRemember(t, s, "since "+name)
		s.Close()
		if left, err := filepath.Glob(path + "*"); err != nil || len(left) != 2 { // and the lock
			t.Errorf("%s: %q, %v", name, left, err)
		}
	}
	step("encrypted", Encryption{Enabled: true, Keys: first}, true)
	step("again", Encryption{Enabled: true, Keys: first}, false)
	step("with two keys", Encryption{Enabled: true, Keys: second.With(first)}, true)
	if _, err := Open(t.Context(), path, sealedWith(first)); !errors.Is(err, atrest.ErrWrongKey) {
		t.Errorf("with the old key: %v", err)
	}
	step("plain", Encryption{Keys: second}, true)
	step("plain again", Encryption{}, false)
	if got := len(found(t, openAt(t, path, Options{Encryption: Encryption{Keys: second}}), "since")); got != 5 {
		t.Errorf("%d of 5 records were added on the way", got)
	}
}

// What was converted is the same, byte by byte.
func TestConvertLosesNoByte(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	keys := newKeys(t)
	s := openAt(t, path, Options{Encryption: Encryption{Keys: keys}})
	for i := range 100 {
		mustRemember(t, s, fmt.Sprint("item", i))
	}
	s.Close()
	// The first way there and back only takes it out of the mode with a log.
	if _, err := Convert(t.Context(), path, Encryption{Enabled: true, Keys: keys}); err != nil {
		t.Fatal(err)
	}
	if _, err := Convert(t.Context(), path, Encryption{Keys: keys}); err != nil {
		t.Fatal(err)
	}
	plain, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Convert(t.Context(), path, Encryption{Enabled: true, Keys: keys}); err != nil {
		t.Fatal(err)
	}
	if _, err := Convert(t.Context(), path, Encryption{Keys: keys}); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(path); err != nil || !bytes.Equal(plain, again) {
		t.Errorf("%d bytes became %d others, %v", len(plain), len(again), err)
	}
}

// A damaged page costs what lies on it; what is moved aside and what takes its place are encrypted.
func TestDamagedPageEncrypted(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "memory.db")
	keys := newKeys(t)
	s := openAt(t, path, sealedWith(keys))
	const n = 400
	for i := range n {
		mustRemember(t, s, fmt.Sprintf("precious item%d %s", i, strings.Repeat("and more ", 20)))
	}
	s.Close()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 1
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	s = openAt(t, path, sealedWith(keys))
	stats, err := s.Stats(t.Context())
	if err != nil || stats.Records[memory.Knowledge] < n*3/4 || !strings.Contains(s.Warning(), "Memory was damaged") {
		t.Errorf("%d records are left, %v, warning %q", stats.Records[memory.Knowledge], err, s.Warning())
	}
	if s.KeyOf() == nil {
		t.Error("what takes its place is plain")
	}
	s.Close()
	unreadable(t, folder, "precious")
	// The same when encryption is switched off meanwhile: the file stays what it is.
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	s = openAt(t, path, Options{Encryption: Encryption{Keys: keys}})
	if s.KeyOf() == nil {
		t.Error("what takes its place is plain")
	}
	s.Close()
	unreadable(t, folder, "precious")
}

func TestBackupIsEncrypted(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "memory.db")
	keys := newKeys(t)
	s := openAt(t, path, sealedWith(keys))
	mustRemember(t, s, "precious")
	all, err := readMigrations(migrations)
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, m := range all {
		files["migration/"+m.name] = &fstest.MapFile{Data: []byte(m.script)}
	}
	files[fmt.Sprintf("migration/%04d_more.sql", len(all)+1)] = &fstest.MapFile{Data: []byte(`ALTER TABLE records ADD COLUMN more TEXT`)}
	if err := migrate(t.Context(), s.database, files); err != nil {
		t.Fatal(err)
	}
	s.Close()
	unreadable(t, folder, "precious")
	backups, others := Copies(path)
	if len(backups) != 1 || len(others) != 0 {
		t.Fatalf("copies %q, %q", backups, others)
	}
	if got := found(t, openAt(t, backups[0], sealedWith(keys)), "precious"); len(got) != 1 {
		t.Errorf("in the backup: %q", got)
	}
}

// convertUntilKilled encrypts, changes the key and makes plain, over and over.
func convertUntilKilled(path string) error {
	keys := roleEncryption().Keys
	for i := 0; ; i++ {
		e := []Encryption{{true, keys, nil}, {true, keys.Last(), nil}, {false, keys, nil}}[i%3]
		if e.Enabled && i%3 == 1 {
			e.Keys = keys.Last().With(keys)
		}
		if _, err := Convert(context.Background(), path, e); err != nil {
			return err
		}
		fmt.Println(i)
	}
}

func TestCopies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	for _, ending := range []string{"", "-wal", ".lock", ".bak-v1", ".bak-v12", ".bak-v2.tmp", ".damaged-20260101-000000", ".damaged-20260101-000000-wal",
		".damaged-20260101-000000-shm", ".old-20260101-000000", ".salvaged", ".converting"} {
		if err := os.WriteFile(path+ending, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	backups, others := Copies(path)
	if fmt.Sprint(len(backups), len(others)) != "2 5" {
		t.Errorf("%q, %q", backups, others)
	}
}
