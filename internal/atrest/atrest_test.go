package atrest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"
)

func generate(t *testing.T) *Keys {
	t.Helper()
	k, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestSealAndOpen(t *testing.T) {
	first, second := generate(t), generate(t)
	for _, size := range []int{0, 1, 70_000, 200_000} {
		plain := bytes.Repeat([]byte("text "), size/5+1)[:size]
		sealed, err := first.Seal(plain)
		if err != nil || !IsSealed(sealed) || size > 20 && bytes.Contains(sealed, []byte("text text")) {
			t.Fatalf("size %d: %v", size, err)
		}
		for _, k := range []*Keys{first, second.With(first)} {
			if got, err := k.Open(sealed); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("size %d: %d bytes, %v", size, len(got), err)
			}
		}
		if _, err := second.Open(sealed); !errors.Is(err, ErrWrongKey) {
			t.Errorf("another key: %v", err)
		}
		if first.With(second).OpenedByFirst(sealed) == second.With(first).OpenedByFirst(sealed) {
			t.Error("which key is first makes no difference")
		}
		var none *Keys
		if _, err := none.Open(sealed); !errors.Is(err, ErrNoKey) {
			t.Errorf("no key: %v", err)
		}
		sealed[len(sealed)-1] ^= 1
		if _, err := first.Open(sealed); !errors.Is(err, ErrDamaged) {
			t.Errorf("a changed byte: %v", err)
		}
		if _, err := first.Open(sealed[:len(sealed)-2]); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut: %v", err)
		}
	}
}

// However keys are printed, nobody learns them.
func TestKeysAreNotPrinted(t *testing.T) {
	k := generate(t)
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if text := fmt.Sprintf(format, k); strings.Contains(text, "SECRET") || strings.Contains(k.Secret(), text) {
			t.Errorf("%s prints %s", format, text)
		}
	}
	_, err := Parse(strings.TrimSpace(k.Secret())[:60])
	if err == nil || strings.Contains(err.Error(), k.Secret()[20:40]) {
		t.Errorf("a cut key: %v", err)
	}
}

func TestParse(t *testing.T) {
	a, b := generate(t), generate(t)
	for name, c := range map[string]struct {
		text string
		want string
	}{
		"one":           {a.Secret(), a.Secret()},
		"two lines":     {a.Secret() + b.Secret(), a.Secret() + b.Secret()},
		"with a comma":  {strings.TrimSpace(a.Secret()) + "," + b.Secret(), a.Secret() + b.Secret()},
		"of age-keygen": {"# created: 2026-01-01\n# public key: age1x\n" + a.Secret() + "\r\n", a.Secret()},
		"spaces":        {"  " + a.Secret() + "\t", a.Secret()},
	} {
		if got, err := Parse(c.text); err != nil || got.Secret() != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{"", "\n", "# only a comment"} {
		if _, err := Parse(text); !errors.Is(err, ErrNoKey) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"secret", "password with spaces", a.Secret() + "x"} {
		if _, err := Parse(text); err == nil || errors.Is(err, ErrNoKey) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "aurora.key")
	s := Source{Kind: FromFile, File: path}
	if _, err := s.Load(); !errors.Is(err, ErrNoKey) || errors.Is(err, ErrUnusable) {
		t.Fatalf("missing: %v", err)
	}
	k := generate(t)
	if err := s.Keep(k); err != nil {
		t.Fatal(err)
	}
	got, err := s.Load()
	if err != nil || got.Secret() != k.Secret() || !strings.Contains(got.Source(), path) {
		t.Fatalf("%v from %s, %v", got, got.Source(), err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if runtime.GOOS != "windows" {
		for _, mode := range []os.FileMode{0o640, 0o604, 0o666, 0o610} {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Load(); !errors.Is(err, ErrUnusable) || !strings.Contains(err.Error(), "chmod 600 "+path) {
				t.Errorf("mode %o: %v", mode, err)
			}
		}
	}
	if _, err := (Source{Kind: FromFile, File: t.TempDir()}).Load(); !errors.Is(err, ErrUnusable) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := (Source{Kind: FromFile}).Load(); !errors.Is(err, ErrNoKey) {
		t.Errorf("no name: %v", err)
	}
}

func TestKeyInEnvironment(t *testing.T) {
	s := Source{Kind: FromEnv, Env: "AURORA_TEST_MEMORY_KEY"}
	t.Setenv(s.Env, "")
	if _, err := s.Load(); !errors.Is(err, ErrNoKey) || errors.Is(err, ErrUnusable) || !strings.Contains(err.Error(), s.Env) {
		t.Errorf("not set: %v", err)
	}
	k := generate(t)
	t.Setenv(s.Env, k.Secret())
	if got, err := s.Load(); err != nil || got.Secret() != k.Secret() {
		t.Error(err)
	}
	t.Setenv(s.Env, "hunter2")
	if _, err := s.Load(); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("not a key: %v", err)
	}
	if s.Keep(k) == nil {
		t.Error("a variable was set")
	}
}

func TestKeyring(t *testing.T) {
	keyring.MockInit()
	s := Source{Account: "/home/x/.aurora/memory.db"}
	if _, err := s.Load(); !errors.Is(err, ErrNoKey) || errors.Is(err, ErrUnusable) {
		t.Fatalf("an empty keyring: %v", err)
	}
	k := generate(t).With(generate(t))
	if err := s.Keep(k); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Load(); err != nil || got.Secret() != k.Secret() {
		t.Error(err)
	}
	if _, err := (Source{Account: "/elsewhere"}).Load(); !errors.Is(err, ErrNoKey) {
		t.Errorf("another account: %v", err)
	}
	keyring.MockInitWithError(errors.New("no daemon"))
	if _, err := s.Load(); !errors.Is(err, ErrUnusable) || !strings.Contains(err.Error(), "no daemon") || !strings.Contains(err.Error(), "key_source") {
		t.Errorf("without a daemon: %v", err)
	}
	if err := s.Keep(k); !errors.Is(err, ErrUnusable) {
		t.Errorf("without a daemon: %v", err)
	}
}

// With a keyring that runs, the key goes there and back:
//
//	AURORA_TEST_KEYRING=1 dbus-run-session -- sh -c 'printf x | gnome-keyring-daemon --unlock --components=secrets >&2; go test -count=1 ./internal/atrest -run RealKeyring'
func TestRealKeyring(t *testing.T) {
	if os.Getenv("AURORA_TEST_KEYRING") == "" {
		t.Skip("AURORA_TEST_KEYRING is not set")
	}
	s := Source{Account: fmt.Sprintf("test of %d", os.Getpid())}
	if _, err := s.Load(); !errors.Is(err, ErrNoKey) || errors.Is(err, ErrUnusable) {
		t.Fatal(err)
	}
	k := generate(t).With(generate(t))
	if err := s.Keep(k); err != nil {
		t.Fatal(err)
	}
	defer keyring.Delete(keyringService, s.Account)
	if got, err := s.Load(); err != nil || got.Secret() != k.Secret() {
		t.Error(err)
	}
}

func TestConvertFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.txt")
	at := time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
	if err := errors.Join(os.WriteFile(path, []byte("hello"), 0o600), os.Chtimes(path, at, at)); err != nil {
		t.Fatal(err)
	}
	first, second := generate(t), generate(t)
	for i, step := range []struct {
		policy    Policy
		from      string
		converted bool
	}{
		{Policy{}, path, false},
		{Policy{Enabled: true, Keys: first}, path, true},
		{Policy{Enabled: true, Keys: first}, path + Ending, false},
		{Policy{Enabled: true, Keys: second.With(first)}, path + Ending, true},
		{Policy{Keys: second}, path + Ending, true},
		{Policy{Keys: second}, path + Ending, false}, // it is gone
	} {
		converted, err := step.policy.Convert(step.from)
		if converted != step.converted || err != nil {
			t.Errorf("step %d: %v, %v", i, converted, err)
		}
		entries, err := os.ReadDir(folder)
		if err != nil || len(entries) != 1 {
			t.Fatalf("step %d: %v, %v", i, entries, err)
		}
		if info, err := entries[0].Info(); err != nil || !info.ModTime().Equal(at) || strings.HasSuffix(info.Name(), Ending) != step.policy.Enabled {
			t.Errorf("step %d: %s of %v, %v", i, info.Name(), info.ModTime(), err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := (Policy{Enabled: true}).Convert(path); !errors.Is(err, ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
	sealed, err := first.Seal([]byte("x"))
	if err := errors.Join(err, os.WriteFile(path+Ending, sealed, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := (Policy{Keys: second}).Convert(path + Ending); !errors.Is(err, ErrWrongKey) {
		t.Errorf("with another key: %v", err)
	}
	if got, err := os.ReadFile(path + Ending); err != nil || !bytes.Equal(got, sealed) {
		t.Errorf("what can't be opened has changed: %v", err)
	}
}
