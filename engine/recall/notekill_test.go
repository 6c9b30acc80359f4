//go:build unix

package recall

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/memory"
)

var noteKills = flag.Int("notekills", 10, "how often a process that writes notes is killed at random moments, with -short at most 3 times")

// notesBegin and notesEnd are around the text of each note, so that a part of one is told from a whole.
const (
	notesBegin = "begins here"
	notesEnd   = "ends here."
)

// TestWriteNotesUntilKilled is the process that TestKilledNotes kills.
func TestWriteNotesUntilKilled(t *testing.T) {
	folder := os.Getenv("AURORA_TEST_NOTES")
	if folder == "" {
		t.Skip("for TestKilledNotes")
	}
	for n := 0; ; n++ {
		text := fmt.Sprintf("Note %d of %d %s\n\n%s\n%s", n, os.Getpid(), notesBegin, strings.Repeat("It says something. ", 2000), notesEnd)
		name, _, err := writeNote(folder, memory.Record{Title: fmt.Sprintf("%d %d", os.Getpid(), n), Content: text, Importance: 1})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("\nwrote " + name)
	}
}

// TestKilledNotes kills a process that writes notes at random moments: none that it told of is lost, and none is there in part.
func TestKilledNotes(t *testing.T) {
	kills := *noteKills
	if testing.Short() {
		kills = min(kills, 3)
	}
	told, whole := 0, 0
	for range kills {
		folder := t.TempDir()
		writer := exec.Command(os.Args[0], "-test.run=^TestWriteNotesUntilKilled$")
		writer.Env = append(os.Environ(), "AURORA_TEST_NOTES="+folder)
		pipe, err := writer.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		var names []string
		var kill *time.Timer
		for output := bufio.NewScanner(pipe); output.Scan(); {
			name, ok := strings.CutPrefix(output.Text(), "wrote ")
			if !ok {
				continue
			}
			if names = append(names, name); kill == nil {
				kill = time.AfterFunc(rand.N(30*time.Millisecond), func() { _ = writer.Process.Kill() })
			}
		}
		_ = writer.Wait() // it was killed
		if len(names) == 0 {
			t.Fatal("the writer wrote nothing")
		}
		kill.Stop()
		there := noteFiles(folder)
		for _, name := range there {
			text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(notesFolder), name))
			if got := strings.TrimSpace(string(text)); err != nil || !strings.HasPrefix(got, "Note ") || !strings.HasSuffix(got, notesEnd) {
				t.Errorf("%s has %d bytes, %v: a part of a note", name, len(text), err)
			}
		}
		for _, name := range names {
			if _, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(notesFolder), name)); err != nil {
				t.Errorf("lost although told: %v", err)
			}
		}
		told, whole = told+len(names), whole+len(there)
	}
	t.Logf("%d kills, %d notes told of, %d there", kills, told, whole)
}
