//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// TestQueryInATerminal asks questions as a person does: phases, the answer as it comes, an agent that asks back.
func TestQueryInATerminal(t *testing.T) {
	p := agentProject(t)
	s := p.newScreen(100, 40)
	kept := s.terminalKept()

	s.enter("aurora query 'what is Checkout?'")
	screen := s.see("Sources:", "[1] cart.go:4 Checkout\n")
	if strings.Contains(screen, "aurora: ") {
		t.Errorf("a phase is left on the screen:\n%s", screen)
	}
	s.exitsWith(app.ExitOK)

	s.enter("aurora query 'what is Checkout?' -v --force")
	screen = s.see("Sources:", "aurora: retrieving context...", "aurora: done (score:")
	for line := range strings.Lines(screen) {
		if at := strings.Index(line, "aurora: "); at > 0 && !strings.Contains(line, screenPrompt) {
			t.Errorf("a phase at the end of the answer: %q\n%s", line, screen)
		}
	}
	s.exitsWith(app.ExitOK)

	s.enter("aurora query 'compare Checkout with nothing' --mode soar --force")
	s.see("curious asks: Which shop?", "1) north", "[east] >")
	s.enter("7")
	s.see("Type a number from 1 to 2")
	s.enter("2")
	s.until("a second question", func(screen string) bool { return strings.Count(screen, "Which shop?") == 2 })
	s.enter("south")
	s.see("The shop is south", "Sources:")
	s.exitsWith(app.ExitOK)

	s.enter("aurora query 'compare Checkout with nothing' --mode soar --force")
	s.see("Which shop?", "[east] >")
	s.keys("C-c")
	s.see("Interrupted.")
	s.exitsWith(app.ExitInterrupted)
	kept()

	s.enter("aurora query 'compare Checkout with nothing' --mode soar --force | cat -v; true")
	s.see("[east] >") // the user at the terminal is asked, wherever the answer goes
	s.keys("Enter")
	s.until("a second question", func(screen string) bool { return strings.Count(screen, "Which shop?") == 2 })
	s.keys("Enter")
	screen = s.see("The shop is east", "Sources:")
	if strings.Contains(screen, "^[") {
		t.Errorf("sequences in a pipe:\n%s", screen)
	}
	s.exitsWith(app.ExitOK)
	kept()
}

// TestQueryInterruptedInATerminal presses Ctrl-C while a model is silent.
func TestQueryInterruptedInATerminal(t *testing.T) {
	p := smallProject(t)
	p.startModel([]byte(`[{"fault": "hang"}]`))
	s := p.newScreen(100, 20)
	kept := s.terminalKept()
	s.enter("aurora query 'what is Backoff?'")
	s.see("aurora: synthesizing...")
	s.keys("C-c")
	screen := s.see("Interrupted.")
	if strings.Contains(screen, "synthesizing") {
		t.Errorf("the phase is left on the screen:\n%s", screen)
	}
	s.exitsWith(app.ExitInterrupted)
	kept()
}

// TestQueryInUnusualTerminals asks in one of 20 columns, and in one that knows no sequences.
func TestQueryInUnusualTerminals(t *testing.T) {
	p := agentProject(t)
	s := p.newScreen(20, 30)
	s.enter("aurora query 'what is Checkout?'")
	screen := s.see("Sources:", "[1] cart.go:4", "\n      Checkout\n")
	checkFits(t, screen, 20, 30)
	s.exitsWith(app.ExitOK)

	s = p.newScreen(200, 70)
	raw := filepath.Join(p.home, "raw")
	s.enter("export TERM=dumb")
	s.tmux("pipe-pane", "-t", "test", "cat >"+raw)
	s.enter("aurora query 'what is Checkout?' --force; aurora index --force; aurora status; aurora config list --changed")
	s.see("Sources:", "Version:")
	s.exits(app.ExitOK)
	text, err := os.ReadFile(raw)
	if err != nil {
		t.Fatal(err)
	}
	if sequence := regexp.MustCompile("\x1b.{0,20}").Find(text); sequence != nil {
		t.Errorf("a sequence in a terminal that knows none: %q", sequence)
	}
}
