package ask

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

// A statusLine is a line of a terminal that says what happens now, and leaves no trace. The zero one shows nothing.
type statusLine struct {
	mu    sync.Mutex
	out   io.Writer // nil shows nothing
	width int       // cells
	shown bool
	held  int // how many write to the terminal and want it for themselves
}

// newStatusLine is on when a person watches standard error and did not ask for lines or objects instead.
func newStatusLine(c *app.App) *statusLine {
	if !c.ErrTTY || c.JSON || c.Verbose > 0 || os.Getenv("TERM") == "dumb" {
		return &statusLine{}
	}
	width := app.DefaultWidth
	if f, ok := c.Err.(*os.File); ok {
		if cells, ok := app.TerminalWidth(f); ok {
			width = cells
		}
	}
	return &statusLine{out: c.Err, width: width}
}

// show puts text in place of what is shown.
func (s *statusLine) show(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.out == nil || s.held > 0 {
		return
	}
	s.shown = true
	fmt.Fprint(s.out, "\r\x1b[K", display.Cut(display.Clean(text), s.width-1)) // the last cell would wrap
}

// print leaves a line of text above the one that is shown.
func (s *statusLine) print(text string) {
	s.clear()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.out != nil && s.held == 0 {
		fmt.Fprintln(s.out, display.Cut(display.Clean(text), s.width-1))
	}
}

// clear takes the line away.
func (s *statusLine) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown {
		s.shown = false
		fmt.Fprint(s.out, "\r\x1b[K")
	}
}

// hold takes the line away until the function returned is called.
func (s *statusLine) hold() (release func()) {
	s.clear()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.held--
	}
}
