package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/memory"
	"github.com/zalando/go-keyring"
)

// encryptedProject has a record, a conversation and a question, encrypted with a key in a file.
func encryptedProject(t *testing.T) (p *project, keyFile string) {
	t.Helper()
	p = smallProject(t)
	p.mustRun("aurora", "mem", "remember", "zebra: the gateway locks an account")
	p.mustRun("aurora", "query", "where is Backoff defined?")
	keyFile = filepath.Join(p.home, "keys", "aurora.key")
	if got := p.mustRun("aurora", "mem", "encryption", "--enable", "--key-file", keyFile); !strings.Contains(got.out, "Encrypted: memory, 1 conversation and 1 question") {
		t.Errorf("enable: %s", got)
	}
	return p, keyFile
}

func (p *project) mustRun(args ...string) outcome {
	p.t.Helper()
	got := p.run(args...)
	if got.code != app.ExitOK {
		p.t.Fatalf("%s: %s", strings.Join(args, " "), got)
	}
	return got
}

// kept is what AURORA keeps, but for the index, the log and the locks; texts in it that must not be readable are counted.
func (p *project) kept(texts ...string) (sums map[string][32]byte, readable int) {
	p.t.Helper()
	sums = map[string][32]byte{}
	root := filepath.Join(p.home, ".aurora")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "index" {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() || strings.HasSuffix(path, ".log") || strings.HasSuffix(path, ".lock") {
			return nil
		}
		content, err := os.ReadFile(path)
		sums[strings.TrimPrefix(path, root)] = sha256.Sum256(content)
		for _, text := range texts {
			if bytes.Contains(content, []byte(text)) || strings.Contains(filepath.Base(path), text) {
				p.t.Logf("%q is in %s", text, path)
				readable++
			}
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return sums, readable
}

func (p *project) encryption() memory.EncryptionStatus {
	p.t.Helper()
	var s memory.EncryptionStatus
	if err := json.Unmarshal([]byte(p.mustRun("aurora", "mem", "encryption", "--json").out), &s); err != nil {
		p.t.Fatal(err)
	}
	return s
}

func TestEncryption(t *testing.T) {
	p, keyFile := encryptedProject(t)
	secret, err := os.ReadFile(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	p.mustRun("aurora", "mem", "remember", "giraffe: written after")
	p.mustRun("aurora", "query", "what calls Backoff?")
	if _, readable := p.kept("zebra", "giraffe", "what calls", string(secret[len(secret)-60:])); readable > 0 {
		t.Error("something can be read")
	}
	first := p.encryption()
	if !first.Enabled || len(first.Files) != 1 || !first.Files[0].Encrypted || first.Conversations != (memory.FormCounts{Encrypted: 2}) || first.History != (memory.FormCounts{Encrypted: 2}) {
		t.Errorf("status %+v", first)
	}
	check := func(what string) {
		t.Helper()
		if got := p.mustRun("aurora", "mem", "search", "zebra"); !strings.Contains(got.out, "zebra") || got.err != "" {
			t.Errorf("%s: %s", what, got)
		}
		if got := p.mustRun("aurora", "logs", "--search", "Backoff"); !strings.Contains(got.out, "where is Backoff defined?") || !strings.Contains(got.out, "what calls Backoff?") {
			t.Errorf("%s: %s", what, got)
		}
		if got := p.mustRun("aurora", "history"); !strings.Contains(got.out, "where is Backoff defined?") {
			t.Errorf("%s: %s", what, got)
		}
	}
	check("encrypted")
	for _, args := range [][]string{{"mem", "stats"}, {"doctor"}, {"status"}} {
		if got := p.run(append([]string{"aurora"}, args...)...); !strings.Contains(strings.ToLower(got.out), "encrypted") || strings.Contains(got.String(), "AGE-SECRET") {
			t.Errorf("%s says nothing of the encryption, or too much: %s", args, got)
		}
	}
	p.mustRun("aurora", "mem", "encryption", "--rekey")
	if again := p.encryption(); again.Fingerprint == first.Fingerprint || again.Conversations != first.Conversations || again.Files[0].State != "encrypted" {
		t.Errorf("after rekey: %+v", again)
	}
	check("with a new key")
	if now, err := os.ReadFile(keyFile); err != nil || strings.Count(string(now), "AGE-SECRET-KEY-") != 1 {
		t.Errorf("the old key is still there: %v", err)
	}
	p.mustRun("aurora", "mem", "encryption", "--disable")
	if s := p.encryption(); s.Enabled || s.Anything() {
		t.Errorf("after disable: %+v", s)
	}
	check("plain")
}

func TestEncryptionWithoutTheKey(t *testing.T) {
	p, keyFile := encryptedProject(t)
	other := filepath.Join(p.home, "other.key")
	if err := os.WriteFile(other, []byte(p.mustRun("aurora", "mem", "encryption", "--new-key").out), 0o600); err != nil {
		t.Fatal(err)
	}
	before, _ := p.kept()
	for name, spoil := range map[string]func(){
		"missing":   func() { t.Setenv("AURORA_MEMORY_ENCRYPTION_KEY_FILE", keyFile+"x") },
		"wrong":     func() { t.Setenv("AURORA_MEMORY_ENCRYPTION_KEY_FILE", other) },
		"too open":  func() { t.Setenv("AURORA_MEMORY_ENCRYPTION_KEY_FILE", keyFile); os.Chmod(keyFile, 0o644) },
		"elsewhere": func() { t.Setenv("AURORA_MEMORY_ENCRYPTION_KEY_SOURCE", "env") },
	} {
		t.Run(name, func(t *testing.T) {
			os.Chmod(keyFile, 0o600)
			t.Setenv("AURORA_MEMORY_ENCRYPTION_KEY_SOURCE", "file")
			spoil()
			// Code is found all the same.
			got := p.run("aurora", "mem", "search", "Backoff")
			if got.code != app.ExitOK || !strings.Contains(got.out, "retry.go") || !strings.Contains(got.err, "kept only until AURORA exits") {
				t.Errorf("search: %s", got)
			}
			p.mustRun("aurora", "query", "where is Backoff defined?")
			for _, args := range [][]string{
				{"mem", "remember", "lost?"}, {"mem", "export", filepath.Join(t.TempDir(), "x.jsonl")}, {"logs", "--search", "Backoff"},
				{"history"}, {"report"}, {"mem", "encryption", "--disable"}, {"mem", "encryption", "--rekey"}, {"doctor"},
			} {
				got := p.run(append([]string{"aurora"}, args...)...)
				if got.code != app.ExitFailed || !strings.Contains(got.String(), "encrypt") && !strings.Contains(got.String(), "key") {
					t.Errorf("%s: %s", args, got)
				}
			}
			if after, _ := p.kept(); len(after) != len(before) {
				t.Errorf("files came or went: %v", after)
			} else {
				for path, sum := range before {
					if after[path] != sum {
						t.Errorf("%s has changed", path)
					}
				}
			}
		})
	}
}

func TestEncryptionWithAKeyring(t *testing.T) {
	p := smallProject(t)
	p.mustRun("aurora", "mem", "remember", "zebra")
	keyring.MockInitWithError(fs.ErrClosed)
	if got := p.run("aurora", "mem", "encryption", "--enable"); got.code != app.ExitFailed || !strings.Contains(got.err, "--key-source file") {
		t.Errorf("without a keyring: %s", got)
	}
	if s := p.encryption(); s.Enabled || s.Anything() {
		t.Errorf("status %+v", s)
	}
	keyring.MockInit()
	if got := p.mustRun("aurora", "mem", "encryption", "--enable"); !strings.Contains(got.out, "the system's keyring") {
		t.Errorf("with a keyring: %s", got)
	}
	copied := filepath.Join(p.home, "copy.key")
	p.mustRun("aurora", "mem", "encryption", "--save-key", copied)
	keyring.MockInit() // the keyring is lost
	if got := p.run("aurora", "mem", "encryption", "--enable"); got.code != app.ExitFailed || !strings.Contains(got.err, "Nothing was changed") {
		t.Errorf("with an empty keyring: %s", got)
	}
	p.mustRun("aurora", "mem", "encryption", "--enable", "--key-file", copied)
	if got := p.mustRun("aurora", "mem", "search", "zebra"); !strings.Contains(got.out, "zebra") {
		t.Errorf("with the copy: %s", got)
	}
	// Memory moves to an environment variable, which opens what the file opened.
	if got := p.run("aurora", "mem", "encryption", "--enable", "--key-source", "env"); got.code != app.ExitFailed || !strings.Contains(got.err, "export AURORA_MEMORY_KEY=") {
		t.Errorf("without a variable: %s", got)
	}
	t.Setenv("AURORA_MEMORY_KEY", p.mustRun("aurora", "mem", "encryption", "--new-key").out)
	p.mustRun("aurora", "mem", "encryption", "--enable", "--key-source", "env")
	if got := p.run("aurora", "mem", "encryption", "--rekey"); got.code != app.ExitFailed || !strings.Contains(got.err, "no new key") {
		t.Errorf("rekey without a new key: %s", got)
	}
	if got := p.mustRun("aurora", "mem", "search", "zebra"); !strings.Contains(got.out, "zebra") {
		t.Errorf("with the variable: %s", got)
	}
	for _, args := range [][]string{
		{"--enable", "--key-source", "cloud"}, {"--enable", "--key-source", "env", "--key-file", "x"}, {"--enable", "more"}, {"--save-key"}, {"--enable", "--rekey"},
		{"--key-file", "x"}, {"status"},
	} {
		if got := p.run(append([]string{"aurora", "mem", "encryption"}, args...)...); got.code != app.ExitUsage {
			t.Errorf("%s: %s", args, got)
		}
	}
}

// An editor's daemon and a command share encrypted memory, which nobody converts meanwhile.
func TestEncryptionWithADaemon(t *testing.T) {
	p := sharing(t, 60)
	keyFile := filepath.Join(p.home, "aurora.key")
	p.mustRun("aurora", "mem", "encryption", "--enable", "--key-file", keyFile)
	s := p.serveShared()
	s.begin(p.dir)
	p.eventually("a daemon", func() bool { return len(p.daemons()) == 1 })
	p.mustRun("aurora", "mem", "remember", "zebra: written beside the daemon")
	if got := s.asks("zebra"); !strings.Contains(got, "written beside") {
		t.Errorf("the daemon finds %s", got)
	}
	for _, args := range [][]string{{"--disable"}, {"--rekey"}} {
		got := p.run(append([]string{"aurora", "mem", "encryption"}, args...)...)
		if got.code != app.ExitFailed || !strings.Contains(got.err, "aurora daemon stop --all") {
			t.Errorf("%s while a daemon runs: %s", args, got)
		}
	}
	if _, readable := p.kept("zebra"); readable > 0 {
		t.Error("something can be read")
	}
	if got := s.asks("zebra"); !strings.Contains(got, "written beside") {
		t.Errorf("afterwards the daemon finds %s", got)
	}
}

func TestEncryptedExport(t *testing.T) {
	p, _ := encryptedProject(t)
	file := filepath.Join(p.home, "memory.jsonl.age")
	p.mustRun("aurora", "mem", "export", file)
	if content, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(content), "age-encryption.org/v1\n") || bytes.Contains(content, []byte("zebra")) {
		t.Errorf("the export can be read, or not: %v", err)
	}
	if got := p.mustRun("aurora", "mem", "import", file); !strings.Contains(got.out, "known already") {
		t.Errorf("import: %s", got)
	}
	t.Setenv("AURORA_MEMORY_ENCRYPTION_KEY_FILE", filepath.Join(p.home, "nothing"))
	if got := p.run("aurora", "mem", "import", file); got.code != app.ExitFailed {
		t.Errorf("import without the key: %s", got)
	}
}
