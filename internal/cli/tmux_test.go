//go:build unix

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

// A screen is a shell in a real terminal, which a private tmux server draws.
type screen struct {
	t      *testing.T
	socket string
}

// screenPrompt is what the shell of a screen prints when it waits.
const screenPrompt = "READY> "

// newScreen starts a shell in p, in a terminal of that size. Without tmux the test is left out.
func (p *project) newScreen(width, height int, env ...string) *screen {
	p.t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		p.t.Skip("no tmux: run scripts/install-test-deps.sh")
	}
	program := p.command("aurora")
	// A socket's path has to be short.
	dir, err := os.MkdirTemp("", "aurora-tmux-*")
	if err != nil {
		p.t.Fatal(err)
	}
	s := &screen{p.t, filepath.Join(dir, "s")}
	variables := append(program.Env, "LANG=C.UTF-8", "TERM=tmux-256color", "PS1="+screenPrompt, "AURORA_LSP_DAEMON_ENABLED=false")
	if p.model != nil {
		variables = append(variables, "AURORA_LLM_BASE_URL="+p.model.URL, "AURORA_LLM_MODEL=scripted", "AURORA_LLM_PRICES=scripted=1/4")
	}
	variables = append(variables, env...)
	command := append([]string{"env", "-i", "PATH=" + filepath.Dir(program.Path) + ":" + os.Getenv("PATH")}, withoutPath(variables)...)
	args := append([]string{"-f", "/dev/null", "new-session", "-d", "-s", "test", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "-c", p.dir}, append(command, "sh")...)
	p.t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", s.socket, "kill-server").Run()
		os.RemoveAll(dir)
	})
	s.tmux(args...)
	s.see(strings.TrimSpace(screenPrompt))
	return s
}

func withoutPath(env []string) []string {
	var rest []string
	for _, e := range env {
		if !strings.HasPrefix(e, "PATH=") {
			rest = append(rest, e)
		}
	}
	return rest
}

func (s *screen) tmux(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-u", "-S", s.socket}, args...)...)
	cmd.Env = append(testEnv, "LANG=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// text is what the screen shows.
func (s *screen) text() string {
	s.t.Helper()
	return strings.TrimRight(s.tmux("capture-pane", "-p", "-t", "test"), "\n")
}

// keys presses keys by their names in tmux, such as Enter or C-c.
func (s *screen) keys(names ...string) {
	s.t.Helper()
	s.tmux(append([]string{"send-keys", "-t", "test"}, names...)...)
}

// enter types a line and ends it.
func (s *screen) enter(text string) {
	s.t.Helper()
	s.typed(text)
	s.keys("Enter")
}

func (s *screen) typed(text string) {
	s.t.Helper()
	s.tmux("send-keys", "-t", "test", "-l", text)
}

// see waits until the screen shows all of the texts.
func (s *screen) see(texts ...string) string {
	s.t.Helper()
	return s.until(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// until waits for a state of the screen. tmux tells nobody when a screen has changed, so it is looked at again and again.
func (s *screen) until(what string, is func(screen string) bool) string {
	s.t.Helper()
	for end := time.Now().Add(ranTime); ; time.Sleep(30 * time.Millisecond) {
		screen := s.text()
		if is(screen) {
			return screen
		}
		if time.Now().After(end) {
			s.t.Fatalf("the screen never shows %s:\n%s", what, screen)
		}
	}
}

// resize changes the terminal's size and waits until every line fits, as far as the program in it draws again.
func (s *screen) resize(width, height int) {
	s.t.Helper()
	s.tmux("resize-window", "-t", "test", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height))
}

// state is a format of tmux, such as #{alternate_on}.
func (s *screen) state(format string) string {
	s.t.Helper()
	return strings.TrimSpace(s.tmux("display-message", "-p", "-t", "test", format))
}

// exitsWith has the shell print the exit code of the command before, and clears the screen.
func (s *screen) exitsWith(code int) {
	s.t.Helper()
	s.exits(code)
	s.enter("clear")
	s.until("an empty screen", func(screen string) bool { return strings.TrimSpace(screen) == strings.TrimSpace(screenPrompt) })
}

func (s *screen) exits(code int) {
	s.t.Helper()
	s.until("the shell", func(screen string) bool {
		return strings.HasSuffix(strings.TrimSpace(screen), strings.TrimSpace(screenPrompt))
	})
	s.enter(`echo "code=$?"`)
	s.until("the exit code", func(screen string) bool {
		return strings.Contains(screen, "\ncode=") && strings.HasSuffix(strings.TrimSpace(screen), strings.TrimSpace(screenPrompt))
	})
	if screen := s.text(); !strings.Contains(screen, fmt.Sprintf("\ncode=%d\n", code)) {
		s.t.Errorf("exit code %d expected:\n%s", code, screen)
	}
}

// terminalKept notes how the terminal is; the function returned checks that it is so again.
func (s *screen) terminalKept() func() {
	s.t.Helper()
	file := filepath.Join(filepath.Dir(s.socket), "stty")
	note := func(to string) string {
		s.enter("stty -g >" + to + "; echo no''ted")
		s.see("\nnoted")
		s.enter("clear")
		s.until("an empty screen", func(screen string) bool { return strings.TrimSpace(screen) == strings.TrimSpace(screenPrompt) })
		text, err := os.ReadFile(to)
		if err != nil {
			s.t.Fatal(err)
		}
		return string(text)
	}
	before := note(file)
	return func() {
		s.t.Helper()
		if after := note(file); after != before {
			s.t.Errorf("the terminal is not as before:\n%s%s", before, after)
		}
		if s.state("#{alternate_on}#{cursor_flag}#{mouse_any_flag}") != "010" {
			s.t.Errorf("alternate screen, cursor, mouse: %s, want 010", s.state("#{alternate_on}#{cursor_flag}#{mouse_any_flag}"))
		}
	}
}

// checkFits holds that no line is wider and the screen no higher than the terminal.
func checkFits(t *testing.T, screen string, width, height int) {
	t.Helper()
	lines := strings.Split(screen, "\n")
	if len(lines) > height {
		t.Errorf("%d lines on a terminal of %d:\n%s", len(lines), height, screen)
	}
	for _, line := range lines {
		if display.Cells(line) > width {
			t.Errorf("%d cells in a terminal of %d: %q", display.Cells(line), width, line)
		}
	}
}
