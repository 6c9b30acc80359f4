package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/aurora-sidecar/aurora/internal/cli"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends at once whatever hangs
	code := cli.Run(ctx, app.New(), os.Args)
	stop()
	os.Exit(code)
}
