package atrest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/zalando/go-keyring"

	"github.com/aurora-sidecar/aurora/internal/atomicfile"
)

// Where keys are kept.
const (
	FromKeyring = "keyring" // that of the system: Secret Service on Linux, Keychain, Windows Credential Manager
	FromFile    = "file"
	FromEnv     = "env"
)

// A Source is a place where keys are kept.
type Source struct {
	Kind    string // one of the above; "" means FromKeyring
	Env     string // name of the variable
	File    string // absolute path
	Account string // in the keyring, so that two folders of data have two keys
}

// keyringService is what the entries of the keyring are filed under.
const keyringService = "aurora"

// keyringWait is how long the keyring may take, in which it may ask the person to unlock it. An editor waits meanwhile.
const keyringWait = 20 * time.Second

// String names the place, for people.
func (s Source) String() string {
	switch s.Kind {
	case FromEnv:
		return "the environment variable " + s.Env
	case FromFile:
		return "the file " + s.File
	}
	return "the system's keyring"
}

// Load reads the keys. It fails with an error that wraps ErrNoKey when there is none, and says what can be done.
func (s Source) Load() (*Keys, error) {
	text, err := s.read()
	if err != nil {
		return nil, err
	}
	k, err := Parse(text)
	if errors.Is(err, ErrNoKey) {
		return nil, fmt.Errorf("%w in %s", ErrNoKey, s)
	}
	if err != nil {
		return nil, fmt.Errorf("in %s: %w", s, err)
	}
	k.source = s.String()
	return k, nil
}

func (s Source) read() (string, error) {
	switch s.Kind {
	case FromEnv:
		text := os.Getenv(s.Env)
		if text == "" {
			return "", fmt.Errorf("%w: %s is not set", ErrNoKey, s)
		}
		return text, nil
	case FromFile:
		return readKeyFile(s.File)
	case FromKeyring, "":
		return s.readKeyring()
	}
	return "", fmt.Errorf("keys are kept in %s, %s or %s, not in %q", FromKeyring, FromFile, FromEnv, s.Kind)
}

// maxKeyFile is more than any key with comments takes, in bytes.
const maxKeyFile = 64 << 10

// readKeyFile reads a file that nobody but its owner may read.
func readKeyFile(path string) (string, error) {
	if path == "" {
		return "", fmt.Errorf("%w: memory.encryption.key_file is not set", ErrNoKey)
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: %s does not exist", ErrNoKey, path)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w: %w", ErrNoKey, ErrUnusable, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%w: %w: %s is not a file", ErrNoKey, ErrUnusable, path)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		return "", fmt.Errorf("%w: %w: the permissions %04o of %s are too open, others may read it; run: chmod 600 %[4]s", ErrNoKey, ErrUnusable, mode, path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxKeyFile))
	return string(text), err
}

// readKeyring asks the keyring, which may hang on a dialog that nobody sees.
func (s Source) readKeyring() (string, error) {
	type answer struct {
		text string
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		text, err := keyring.Get(keyringService, s.account())
		answered <- answer{text, err}
	}()
	select {
	case a := <-answered:
		if errors.Is(a.err, keyring.ErrNotFound) {
			return "", fmt.Errorf("%w: %s has none for %s", ErrNoKey, s, s.account())
		}
		if a.err != nil {
			return "", keyringError(s, a.err)
		}
		return a.text, nil
	case <-time.After(keyringWait):
		return "", fmt.Errorf("%w: %w: %s did not answer within %s; unlock it", ErrNoKey, ErrUnusable, s, keyringWait)
	}
}

func (s Source) account() string { return cmp.Or(s.Account, "memory") }

// keyringError says why the keyring can't be used, and what can be instead.
func keyringError(s Source, err error) error {
	return fmt.Errorf("%w: %w: %s (%w); keep the key in a file or an environment variable instead "+
		"(memory.encryption.key_source: file or env)", ErrNoKey, ErrUnusable, s, err)
}

// Keep puts keys into a file or the keyring, in place of what is there. A variable can only be set by the person.
func (s Source) Keep(k *Keys) error {
	switch s.Kind {
	case FromEnv:
		return fmt.Errorf("%s can't be set by AURORA", s)
	case FromFile:
		return WriteKeyFile(s.File, k)
	}
	if err := keyring.Set(keyringService, s.account(), k.Secret()); err != nil {
		return keyringError(s, err)
	}
	back, err := s.Load()
	if err != nil {
		return err
	}
	if back.Secret() != k.Secret() {
		return fmt.Errorf("%s did not keep the key as it was given", s)
	}
	return nil
}

// WriteKeyFile writes keys as age-keygen does, with mode 0600, whole or not at all.
func WriteKeyFile(path string, k *Keys) error {
	if path == "" {
		return errors.New("the key needs a file; set memory.encryption.key_file")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text := "# Without this key nobody can read what AURORA remembers. Keep a copy in another place.\n" + k.Secret()
	return atomicfile.Write(path, []byte(text), atomicfile.Private)
}
