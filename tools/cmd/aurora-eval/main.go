package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

// The exit codes, which are those of aurora.
const (
	exitOK      = 0
	exitFailed  = 1
	exitUsage   = 2
	exitNothing = 3
)

// errNothing ends a command that measured nothing and has said so.
var errNothing = errors.New("nothing was measured")

// A usageError is a mistake in the command line.
type usageError struct{ error }

// A program is one run of the command.
type program struct {
	out, err io.Writer
	now      func() time.Time
	json     bool
	verbose  bool
	project  string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := newProgram(os.Stdout, os.Stderr).run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

func newProgram(out, err io.Writer) *program { return &program{out: out, err: err, now: time.Now} }

// run executes a command line without the program's name and returns the exit code.
func (p *program) run(ctx context.Context, args []string) int {
	root := &cobra.Command{
		Use: "aurora-eval", Short: "Measure search, contexts and answers on known queries", SilenceErrors: true, SilenceUsage: true,
	}
	flags := root.PersistentFlags()
	flags.BoolVar(&p.json, "json", false, "print JSON for programs")
	flags.BoolVarP(&p.verbose, "verbose", "v", false, "report progress, and the text of wrong answers")
	flags.StringVar(&p.project, "project", ".", "the project's `folder`, whose settings count")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(
		p.searchCommand(), p.namesCommand(), p.outlineCommand(), p.answersCommand(), p.contextCommand(), p.tokensCommand(), p.reasoningCommand(), p.promptsCommand(), p.recallCommand(),
		p.graphCommand(), p.literalsCommand(), p.hoverCommand(), p.claimsCommand(), p.reviewCommand(), p.callersCommand(), p.togetherCommand(), p.leftOutCommand(),
	)
	root.SetArgs(args)
	root.SetOut(p.out)
	root.SetErr(p.err)
	err := root.ExecuteContext(ctx)
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errNothing):
		return exitNothing
	case errors.As(err, &usage):
		fmt.Fprintln(p.err, "Error:", err)
		return exitUsage
	}
	fmt.Fprintln(p.err, "Error:", err)
	return exitFailed
}

// settings are those of the project.
func (p *program) settings() (*config.Settings, error) {
	settings, warnings, err := config.Load(config.LoadOptions{Project: p.project})
	for _, w := range config.Brief(warnings, config.InHome()) {
		p.warn(w)
	}
	return settings, err
}

// warn reports what is missing and does not stop the command.
func (p *program) warn(text string) { fmt.Fprintln(p.err, "Warning:", text) }

// printJSON prints one indented document.
func (p *program) printJSON(v any) error {
	enc := json.NewEncoder(p.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// hint is an error with a way out.
func hint(err error, remedy string) error { return fmt.Errorf("%w\n  %s", err, remedy) }

// usage is a mistake in the command line.
func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
