package store

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// childVar names the folder that a child process is to write into until it is killed.
const childVar = "AURORA_STORE_TEST_CHILD"

// batchFiles is how many files each of the child's batches holds.
const batchFiles = 20

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVar); dir != "" {
		fmt.Fprintln(os.Stderr, writeForEver(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// writeForEver stores batch after batch and prints the number of each one that is stored.
func writeForEver(dir string) error {
	s, err := Open(context.Background(), dir, Options{})
	if err != nil {
		return err
	}
	if !s.Writer() {
		return ErrNotWriter
	}
	files, err := s.CountFiles(context.Background(), "/w")
	if err != nil {
		return err
	}
	for i := files / batchFiles; ; i++ {
		if err := s.Apply(context.Background(), batchOf("/w", fmt.Sprintf("%05d", i), batchFiles)); err != nil {
			return err
		}
		fmt.Println(i)
	}
}

func TestKilledWriterLeavesWholeBatches(t *testing.T) {
	dir := t.TempDir()
	for round := range 4 {
		last := killAfter(t, dir, 5+7*round)

		s := open(t, dir, Options{})
		if !s.Writer() || s.Recovered() != "" {
			t.Fatalf("round %d: writer %v, recovered %q", round, s.Writer(), s.Recovered())
		}
		if got := integrity(t, s); got != "ok" {
			t.Fatalf("round %d: integrity: %s", round, got)
		}
		count := map[string]int{}
		for _, p := range paths(t, s, "/w") {
			batch, _, _ := strings.Cut(p, "/")
			count[batch]++
		}
		for batch, n := range count {
			if n != batchFiles {
				t.Errorf("round %d: batch %s has %d files of %d", round, batch, n, batchFiles)
			}
		}
		if len(count) <= last {
			t.Errorf("round %d: %d batches, but number %d was acknowledged", round, len(count), last)
		}
		closeStore(t, s)
	}
}

// killAfter starts a writing child, kills it after it acknowledged n batches, and returns the last number that it
// acknowledged.
func killAfter(t *testing.T, dir string, n int) (last int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), childVar+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last = -1
	for lines := bufio.NewScanner(out); lines.Scan(); n-- {
		if last, err = strconv.Atoi(lines.Text()); err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait() // killed
	if last < 0 {
		t.Fatal("the child wrote nothing")
	}
	return last
}
