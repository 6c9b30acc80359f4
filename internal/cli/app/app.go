package app

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

// An App is one run of the command: where it reads and writes, and the flags that every subcommand has.
type App struct {
	In       io.Reader
	Out, Err io.Writer
	Width    int  // cells of the terminal behind out; 0 when out is not a terminal
	InTTY    bool // in is a terminal
	ErrTTY   bool // err is a terminal: progress may be drawn in place
	Color    bool
	Now      func() time.Time

	Flags
	Overrides overrides

	typing sync.Mutex
	typed  *bufio.Reader // over in, once something was read

	ParseCommand []string // starts a process that parses; nil parses in this one
	Program      string   // this program, to start it as a child: as a sandbox (sandbox.Enter), or as clients do; "" does neither
}

// Flags are what every subcommand has.
type Flags struct {
	JSON      bool
	JSONLines bool // a document of JSON takes one line
	NoColor   bool
	Project   string
	Verbose   int    // 0 quiet, 1 normal, 2 verbose
	Policies  string // file of lifespan policies; "" leaves it to the settings
}

// DefaultWidth is assumed of a terminal that does not tell its own, in cells.
const DefaultWidth = 80

// New returns an App on the process's own streams.
func New() *App {
	c := &App{In: os.Stdin, Out: &CheckedWriter{to: os.Stdout}, Err: os.Stderr, Now: time.Now}
	if width, ok := TerminalWidth(os.Stdout); ok {
		c.Width, c.Color = width, ColorWanted()
	} else {
		c.JSONLines = true
	}
	_, c.InTTY = TerminalWidth(os.Stdin)
	_, c.ErrTTY = TerminalWidth(os.Stderr)
	return c
}

// ColorWanted follows https://no-color.org.
func ColorWanted() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// A CheckedWriter remembers that writing failed, for a command that printed to a full disk.
type CheckedWriter struct {
	to  io.Writer
	Err error
}

// Stdout is the stream behind out itself, for those who need a terminal or close it.
func (c *App) Stdout() io.Writer {
	if checked, ok := c.Out.(*CheckedWriter); ok {
		return checked.to
	}
	return c.Out
}

// Write implements io.Writer.
func (w *CheckedWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if w.Err == nil {
		w.Err = err
	}
	return n, err
}

// Colored reports whether what is printed may hold colours.
func (c *App) Colored() bool { return c.Color && !c.NoColor }

// Bold marks s for the eye when out understands it.
func (c *App) Bold(s string) string {
	if !c.Colored() {
		return s
	}
	return "\x1b[1m" + s + "\x1b[0m"
}

// Warn tells of something that is missing but did not stop the command. Programs read warnings in the result.
func (c *App) Warn(text string) {
	if !c.JSON {
		fmt.Fprintf(c.Err, "Warning: %s\n", display.CleanLines(Shortened(text)))
	}
}
