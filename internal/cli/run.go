package cli

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

// Run executes the command line args, the program's name first, and returns the exit code.
func Run(ctx context.Context, c *app.App, args []string) int {
	root := rootCommand(c, args[0])
	root.SetArgs(args[1:])
	cmd, err := root.ExecuteContextC(ctx)
	err = app.FlagRule(cmd, err)
	if checked, ok := c.Out.(*app.CheckedWriter); ok && err == nil && checked.Err != nil {
		err = app.Failure("The output is not whole.", fmt.Errorf("write the output: %w", checked.Err))
	}
	return c.Report(ctx, err)
}
