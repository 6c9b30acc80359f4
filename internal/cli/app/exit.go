package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

// The exit codes of every subcommand but serve, whose codes LSP prescribes.
const (
	ExitOK          = 0
	ExitFailed      = 1   // it could not be done, or what was checked did not pass
	ExitUsage       = 2   // the command line can't be meant
	ExitNothing     = 3   // there is nothing to show or to change
	ExitInterrupted = 130 // Ctrl-C, as shells expect it
)

const (
	exitTitle = "Exit codes:"
	exitCodes = `  0    done
  1    failed: it could not be done, or what was checked did not pass
  2    wrong usage: unknown command or flag, missing or bad value
  3    nothing: nothing was found, or nothing has that name
  130  interrupted with Ctrl-C`
	ExitHelp = exitTitle + "\n" + exitCodes
)

// An Exit ends the command with a code. Its error, when there is one, is printed.
type Exit struct {
	Code   int
	Err    error
	Remedy string
}

func (e *Exit) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return e.Err.Error()
}

func (e *Exit) Unwrap() error { return e.Err }

// UsageError is a mistake in the command line; remedy says how to write it.
func UsageError(remedy, format string, args ...any) error {
	return &Exit{Code: ExitUsage, Err: fmt.Errorf(format, args...), Remedy: remedy}
}

// Failure is an error with a way out.
func Failure(remedy string, err error) error {
	return &Exit{Code: ExitFailed, Err: err, Remedy: remedy}
}

// ErrNothing ends a command that found nothing and has said so.
var ErrNothing = &Exit{Code: ExitNothing}

// Found is err, and ErrNothing when n things were to be shown and that is none.
func Found(n int, err error) error {
	if err == nil && n == 0 {
		return ErrNothing
	}
	return err
}

// Report prints err and returns the exit code for it.
func (c *App) Report(ctx context.Context, err error) int {
	if err == nil {
		return ExitOK
	}
	if ctx.Err() != nil && (errors.Is(err, ctx.Err())) {
		fmt.Fprintln(c.Err, "Interrupted.")
		return ExitInterrupted
	}
	problem := Describe(err)
	if problem.Message != "" {
		if c.JSON {
			problem.printJSON(c.Err)
		} else {
			problem.print(c.Err)
		}
	}
	return problem.code
}

// A problem is an error as a person or a program reads it.
type problem struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Detail  string `json:"detail,omitempty"`
	Remedy  string `json:"remedy,omitempty"`
	code    int
}

func Describe(err error) problem {
	p := problem{Kind: "error", Message: err.Error(), code: ExitFailed}
	var e *Exit
	if errors.As(err, &e) {
		p.code, p.Remedy = e.Code, e.Remedy
		if e.Code == ExitUsage {
			p.Kind = "usage"
		}
		if e.Err == nil {
			p.Message = ""
		}
	}
	var typed *engine.Error
	if errors.As(err, &typed) {
		p.Kind, p.Detail = string(typed.Kind), typed.Detail
		if p.Remedy == "" {
			p.Remedy = typed.Remedy
		}
		switch typed.Kind {
		case engine.Invalid:
			p.code = ExitUsage
		case engine.NotFound:
			p.code = ExitNothing
		}
	}
	p.Message, p.Detail, p.Remedy = Shortened(p.Message), Shortened(p.Detail), Shortened(p.Remedy)
	return p
}

// What a person reads of one message: characters of a line, and lines.
const (
	longestLine = 1200
	mostLines   = 1000
)

// Shortened leaves out what a message repeats of a value without end.
func Shortened(message string) string {
	if len(message) <= longestLine {
		return message
	}
	lines := strings.Split(message, "\n")
	if len(lines) > mostLines {
		lines = append(lines[:mostLines], "…")
	}
	for i, line := range lines {
		if len(line) <= longestLine {
			continue
		}
		if text := []rune(line); len(text) > longestLine {
			const end = longestLine / 4
			lines[i] = string(text[:longestLine-end]) + " … " + string(text[len(text)-end:])
		}
	}
	return strings.Join(lines, "\n")
}

func (p problem) print(w io.Writer) {
	fmt.Fprintf(w, "Error: %s\n", display.CleanLines(p.Message))
	for line := range strings.Lines(p.Remedy) {
		fmt.Fprintf(w, "  %s\n", display.CleanLines(strings.TrimRight(line, "\n")))
	}
}

func (p problem) printJSON(w io.Writer) {
	json.NewEncoder(w).Encode(map[string]problem{"error": p})
}
