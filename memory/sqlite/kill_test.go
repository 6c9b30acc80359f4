//go:build unix

package sqlite

import (
	"bufio"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"
)

var kills = flag.Int("kills", 10, "how often TestKilledAtRandomMoments kills a writer")

// A writer is killed again and again while it writes, at a random moment after it said that it had written something: no
// store is damaged and nothing acknowledged is lost.
func TestKilledAtRandomMoments(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	binary := thisBinary(t)
	acknowledged := map[string]bool{}
	for range *kills {
		writer := inRole(t, binary, "writer", path)
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
	s := openAt(t, path, Options{})
	if s.Warning() != "" {
		t.Errorf("warning %q", s.Warning())
	}
	if err := s.checkHealth(t.Context()); err != nil {
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
	t.Logf("%d kills, %d records acknowledged, none lost", *kills, len(acknowledged))
}
