package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/engine"
)

// The exit codes of every subcommand but serve, whose codes LSP prescribes.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNothing     = 3   // it worked, and there is nothing to show
	exitInterrupted = 130 // Ctrl-C, as shells expect it
)

const (
	exitTitle = "Exit codes:"
	exitCodes = `  0    done
  1    error
  2    wrong usage: unknown command or flag, bad value
  3    nothing found
  130  interrupted with Ctrl-C`
	exitHelp = exitTitle + "\n" + exitCodes
)

// An exit ends the command with a code. Its error, when there is one, is printed.
type exit struct {
	code   int
	err    error
	remedy string
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// usageError is a mistake in the command line; remedy says how to write it.
func usageError(remedy, format string, args ...any) error {
	return &exit{code: exitUsage, err: fmt.Errorf(format, args...), remedy: remedy}
}

// failure is an error with a way out.
func failure(remedy string, err error) error {
	return &exit{code: exitFailed, err: err, remedy: remedy}
}

// errNothing ends a command that found nothing and has said so.
var errNothing = &exit{code: exitNothing}

// report prints err and returns the exit code for it.
func (c *cli) report(ctx context.Context, err error) int {
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && (errors.Is(err, ctx.Err())) {
		fmt.Fprintln(c.err, "Interrupted.")
		return exitInterrupted
	}
	problem := describe(err)
	if problem.Message != "" {
		if c.json {
			problem.printJSON(c.err)
		} else {
			problem.print(c.err)
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

func describe(err error) problem {
	p := problem{Kind: "error", Message: err.Error(), code: exitFailed}
	var e *exit
	if errors.As(err, &e) {
		p.code, p.Remedy = e.code, e.remedy
		if e.code == exitUsage {
			p.Kind = "usage"
		}
		if e.err == nil {
			p.Message = ""
		}
	}
	var typed *engine.Error
	if errors.As(err, &typed) {
		p.Kind, p.Detail = string(typed.Kind), typed.Detail
		if p.Remedy == "" {
			p.Remedy = typed.Remedy
		}
		if typed.Kind == engine.Invalid {
			p.code = exitUsage
		}
	}
	p.Message, p.Detail, p.Remedy = shortened(p.Message), shortened(p.Detail), shortened(p.Remedy)
	return p
}

// What a person reads of one message: characters of a line, and lines.
const (
	longestLine = 1200
	mostLines   = 1000
)

// shortened leaves out what a message repeats of a value without end.
func shortened(message string) string {
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
