package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/aurora-sidecar/aurora/index/parser"
	"github.com/aurora-sidecar/aurora/internal/cli"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/sandbox"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == parser.Argument {
		parse()
	}
	if len(os.Args) == 2 && os.Args[1] == sandbox.Argument {
		enter()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends at once whatever hangs
	a := app.New()
	a.ParseCommand, _ = parser.Command() // without it parsing is done in this process
	a.Program, _ = os.Executable()       // without it no tests are run for models, and setup tries no server
	code := cli.Run(ctx, a, os.Args)
	stop()
	os.Exit(code)
}

// parse is what this program does as the child of another one of it.
func parse() {
	if err := parser.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// enter is what this program does as the child that becomes a test or a build of a project.
func enter() {
	fmt.Fprintln(os.Stderr, sandbox.Enter())
	os.Exit(1)
}
