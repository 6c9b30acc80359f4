//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// pickProject has names that are hard to draw.
func pickProject(t *testing.T) *project {
	p := newProject(t)
	p.write("retry.go", `package retry

import "time"

// Backoff waits longer after every failure.
func Backoff(attempt int) time.Duration { return time.Second << attempt }

// BackoffLimit bounds the wait.
func BackoffLimit() time.Duration {
	return Backoff(10)
}
`)
	p.write("wide.go", "package retry\n\n// 再試行 waits; 日本語の説明はここにあります 🧑‍🚀🚀.\nfunc 再試行() {}\n")
	p.write("hebrew.go", "package retry\n\n// שלום greets; שלום עולם.\nfunc שלום() {}\n")
	return p
}

// TestPickerInATerminal uses the picker of "aurora mem" as a person does.
func TestPickerInATerminal(t *testing.T) {
	p := pickProject(t)
	s := p.newScreen(90, 24)
	kept := s.terminalKept()

	s.enter("aurora mem")
	s.see("Type to search.")
	s.typed("Backoff")
	screen := s.see("1/2", "> 0.", "BackoffLimit", "▌  5 // Backoff waits", "▌  6 func Backoff")
	if !strings.Contains(screen, "   3 import \"time\"") {
		t.Errorf("no lines around what was found:\n%s", screen)
	}
	s.keys("Down")
	s.see("2/2", "▌  9 func BackoffLimit")
	s.keys("Up")
	s.see("1/2", "▌  6 func Backoff")
	s.keys("C-r")
	s.see("Final")
	s.keys("C-r")
	s.see("▌  6 func Backoff")
	s.keys("Enter")
	s.see("\nretry.go:6\n")
	s.exitsWith(app.ExitOK)
	kept()

	s.enter("aurora mem --pick Backoff")
	s.see("1/2")
	s.keys("Escape")
	s.exitsWith(app.ExitNothing)
	kept()

	s.enter("aurora mem --pick Backoff")
	s.see("1/2")
	s.keys("C-c")
	s.exitsWith(app.ExitInterrupted)
	kept()

	s.enter("aurora mem --pick 'zxqwv plopp'")
	s.see("Nothing found.")
	s.keys("Enter") // chooses nothing, and leaves nothing
	s.keys("C-u")
	s.see("Type to search.")
	s.keys("C-c")
	s.exitsWith(app.ExitInterrupted)

	s.enter("cat $(aurora mem --pick BackoffLimit | cut -d: -f1) | head -n 1; true")
	s.see("▌  9 func BackoffLimit")
	s.keys("Enter")
	s.see("\npackage retry\n")
	s.exitsWith(app.ExitOK)
	kept()
}

// TestPickerBearsSizes makes the terminal small, smaller and large again while the picker runs.
func TestPickerBearsSizes(t *testing.T) {
	p := pickProject(t)
	s := p.newScreen(100, 24)
	kept := s.terminalKept()
	s.enter("aurora mem --pick Backoff")
	s.see("1/2", "▌  6 func Backoff")
	for _, size := range [][2]int{{20, 5}, {9, 3}, {2, 1}, {20, 5}} {
		s.resize(size[0], size[1])
		s.until("a picker that fits", func(screen string) bool {
			lines := strings.Split(screen, "\n")
			return len(lines) <= size[1] && (size[0] < 20 || strings.HasPrefix(lines[0], "> Backoff") && strings.Contains(screen, "> 0."))
		})
		checkFits(t, s.text(), size[0], size[1])
	}
	s.typed("Limit")
	s.see("> BackoffLimit", "1/")
	s.keys("C-w")
	s.typed("再試行")
	screen := s.see("> 再試行", "> 0.")
	checkFits(t, screen, 20, 5)
	s.resize(60, 20)
	s.see("▌ 3 // 再試行 waits", "▌ 4 func 再試行")
	checkFits(t, s.text(), 60, 20)
	s.keys("C-u")
	s.typed("שלום")
	checkFits(t, s.see("> 0.", "hebrew.go:4", "func שלום"), 60, 20)
	s.keys("BSpace", "BSpace", "BSpace", "BSpace")
	s.see("Type to search.")
	s.keys("Escape")
	s.exitsWith(app.ExitNothing)
	kept()
}

// TestPickerWithoutAnything opens the picker where there is nothing yet, and where it can't draw.
func TestPickerWithoutAnything(t *testing.T) {
	p := newProject(t)
	s := p.newScreen(80, 12)
	s.enter("aurora mem")
	s.see("Type to search.")
	s.typed("anything")
	s.see("Nothing found.")
	s.keys("Escape")
	s.exitsWith(app.ExitNothing)

	s.enter("TERM=dumb aurora mem | head -n 1")
	s.see("\nNothing is remembered yet.")
	s.exitsWith(app.ExitOK)

	s.enter("TERM=dumb aurora mem --pick")
	s.see("Error: --pick needs a terminal")
	s.exitsWith(app.ExitUsage)
}

// TestPickerKilled leaves the terminal usable when something else ends the picker.
func TestPickerKilled(t *testing.T) {
	p := pickProject(t)
	s := p.newScreen(80, 20)
	kept := s.terminalKept()
	s.enter("sh -c 'echo $$ >pid; exec aurora mem --pick Backoff'")
	s.see("1/2")
	pid, err := os.ReadFile(filepath.Join(p.dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("kill", "-TERM", strings.TrimSpace(string(pid))).Run(); err != nil {
		t.Fatal(err)
	}
	s.exitsWith(app.ExitInterrupted)
	kept()
}
