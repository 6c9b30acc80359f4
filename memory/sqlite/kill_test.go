//go:build unix

package sqlite

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var kills = flag.Int("kills", 10, "how often a process is killed at random moments, with -short at most 3 times")

func killsOf() int {
	if testing.Short() {
		return min(*kills, 3)
	}
	return *kills
}

// A writer is killed again and again while it writes, at a random moment after it said that it had written something: no
// store is damaged and nothing acknowledged is lost.
func TestKilledAtRandomMoments(t *testing.T) {
	for name, e := range map[string]Encryption{"plain": {}, "encrypted": {Enabled: true, Keys: newKeys(t)}} {
		t.Run(name, func(t *testing.T) { killAtRandomMoments(t, e) })
	}
}

func killAtRandomMoments(t *testing.T, e Encryption) {
	path := filepath.Join(t.TempDir(), "memory.db")
	binary := thisBinary(t)
	acknowledged := map[string]bool{}
	for range killsOf() {
		writer := withKeys(inRole(t, binary, "writer", path), e.Keys)
		pipe, err := writer.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		output := bufio.NewScanner(pipe)
		if !output.Scan() {
			t.Fatalf("a writer ended: %v", output.Err())
		}
		acknowledged[output.Text()] = true
		kill := time.AfterFunc(rand.N(60*time.Millisecond), func() { _ = writer.Process.Kill() })
		for output.Scan() {
			acknowledged[output.Text()] = true
		}
		kill.Stop()
		_ = writer.Wait() // it was killed
	}
	s := openAt(t, path, Options{Encryption: e})
	if s.Warning() != "" {
		t.Errorf("warning %q", s.Warning())
	}
	if err := checkHealth(t.Context(), s.database); err != nil {
		t.Error(err)
	}
	for id := range acknowledged {
		if _, err := s.Get(t.Context(), id); err != nil {
			t.Errorf("lost although acknowledged: %v", err)
		}
	}
	if damaged, err := filepath.Glob(path + ".damaged-*"); err != nil || len(damaged) > 0 {
		t.Errorf("damaged on the way: %q, %v", damaged, err)
	}
	t.Logf("%d kills, %d records acknowledged, none lost", killsOf(), len(acknowledged))
}

// killSoon starts a process, waits until it says that it works, and kills it at a random moment after.
func killSoon(t *testing.T, command *exec.Cmd) {
	t.Helper()
	pipe, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	output := bufio.NewScanner(pipe)
	if !output.Scan() {
		t.Fatalf("it ended: %v", output.Err())
	}
	kill := time.AfterFunc(rand.N(150*time.Millisecond), func() { _ = command.Process.Kill() })
	for output.Scan() {
	}
	kill.Stop()
	_ = command.Wait() // it was killed
}

// Several processes read and write an encrypted store at once.
func TestTwoProcessesEncrypted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	keys := newKeys(t)
	s := openAt(t, path, sealedWith(keys))
	writer := withKeys(inRole(t, thisBinary(t), "writer", path), keys)
	pipe, err := writer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	defer writer.Wait()
	defer writer.Process.Kill()
	said := make([]byte, 0, 4096)
	for buf := make([]byte, 512); bytes.Count(said, []byte("\n")) < 20; {
		n, err := pipe.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, buf[:n]...)
		mustRemember(t, s, fmt.Sprintf("of this process, after %d", len(said)))
	}
	for id := range strings.FieldsSeq(string(said[:bytes.LastIndexByte(said, '\n')])) {
		if _, err := s.Get(t.Context(), id); err != nil {
			t.Errorf("what the other one wrote: %v", err)
		}
	}
	if _, err := Convert(t.Context(), path, Encryption{Keys: keys}); !errors.Is(err, ErrInUse) {
		t.Errorf("converted while two had it open: %v", err)
	}
}

// A conversion that is killed at any moment leaves the store whole, encrypted or not.
func TestConversionKilledAtRandomMoments(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	keys := newKeys(t).With(newKeys(t))
	s := openAt(t, path, Options{Encryption: Encryption{Keys: keys}})
	const n = 200
	for i := range n {
		mustRemember(t, s, fmt.Sprintf("precious item%d", i))
	}
	s.Close()
	sealed := 0
	for range killsOf() {
		killSoon(t, withKeys(inRole(t, thisBinary(t), "converter", path), keys))
		if StateOf(path, Encryption{Keys: keys}).Encrypted {
			sealed++
		}
		s := openAt(t, path, Options{Encryption: Encryption{Keys: keys}})
		if got := len(found(t, s, "precious")); got != n || s.Warning() != "" {
			t.Fatalf("%d of %d records, warning %q", got, n, s.Warning())
		}
		if err := checkHealth(t.Context(), s.database); err != nil {
			t.Fatal(err)
		}
		s.Close()
		if _, err := os.Stat(unfinishedCopy(path)); err == nil {
			t.Error("the unfinished copy is still there")
		}
	}
	t.Logf("%d kills, after %d of them it was encrypted", killsOf(), sealed)
}
