package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
)

// A cli is one run of the command: where it reads and writes, and the flags that every subcommand has.
type cli struct {
	in       io.Reader
	out, err io.Writer
	width    int  // cells of the terminal behind out; 0 when out is not a terminal
	errTTY   bool // err is a terminal: progress may be drawn in place
	color    bool
	now      func() time.Time

	json      bool
	jsonLines bool // a document of JSON takes one line
	noColor   bool
	project   string
	verbose   int // 0 quiet, 1 normal, 2 verbose

	typing sync.Mutex
	typed  *bufio.Reader // over in, once something was read

	overrides overrides
	policies  string // file of lifespan policies; "" leaves it to the settings
}

// defaultWidth is assumed of a terminal that does not tell its own, in cells.
const defaultWidth = 80

// newCLI returns a cli on the process's own streams.
func newCLI() *cli {
	c := &cli{in: os.Stdin, out: &checkedWriter{to: os.Stdout}, err: os.Stderr, now: time.Now}
	if width, ok := terminalWidth(os.Stdout); ok {
		c.width, c.color = width, colorWanted()
	} else {
		c.jsonLines = true
	}
	_, c.errTTY = terminalWidth(os.Stderr)
	return c
}

// colorWanted follows https://no-color.org.
func colorWanted() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// run executes the command line args, the program's name first, and returns the exit code.
func (c *cli) run(ctx context.Context, args []string) int {
	root := c.rootCommand(args[0])
	root.SetArgs(args[1:])
	cmd, err := root.ExecuteContextC(ctx)
	err = flagRule(cmd, err)
	if checked, ok := c.out.(*checkedWriter); ok && err == nil && checked.err != nil {
		err = failure("The output is not whole.", fmt.Errorf("write the output: %w", checked.err))
	}
	return c.report(ctx, err)
}

// A checkedWriter remembers that writing failed, for a command that printed to a full disk.
type checkedWriter struct {
	to  io.Writer
	err error
}

// stdout is the stream behind out itself, for those who need a terminal or close it.
func (c *cli) stdout() io.Writer {
	if checked, ok := c.out.(*checkedWriter); ok {
		return checked.to
	}
	return c.out
}

// Write implements io.Writer.
func (w *checkedWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// bold marks s for the eye when out understands it.
func (c *cli) bold(s string) string {
	if !c.color || c.noColor {
		return s
	}
	return "\x1b[1m" + s + "\x1b[0m"
}

// warn tells of something that is missing but did not stop the command. Programs read warnings in the result.
func (c *cli) warn(text string) {
	if !c.json {
		fmt.Fprintf(c.err, "Warning: %s\n", display.CleanLines(shortened(text)))
	}
}

// printJSON prints v as one document: on one line for programs, indented for a person.
func (c *cli) printJSON(v any) error {
	enc := json.NewEncoder(c.out)
	enc.SetEscapeHTML(false)
	if !c.jsonLines {
		enc.SetIndent("", "  ")
	}
	return enc.Encode(v)
}
