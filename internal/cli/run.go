package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/spf13/cobra"
)

// Run executes the command line args, the program's name first, and returns the exit code.
func Run(ctx context.Context, c *app.App, args []string) int {
	root := rootCommand(c, args[0])
	root.SetArgs(withCommand(root, args[1:]))
	cmd, err := root.ExecuteContextC(ctx)
	err = app.FlagRule(cmd, err)
	if checked, ok := c.Out.(*app.CheckedWriter); ok && err == nil && checked.Err != nil {
		err = app.Failure("The output is not whole.", fmt.Errorf("write the output: %w", checked.Err))
	}
	return c.Report(ctx, err)
}

// withCommand makes a search of several words in quotes that stand where a command should: no command's name has a space.
func withCommand(root *cobra.Command, args []string) []string {
	if strings.ContainsAny(strings.TrimSpace(firstWord(root, args)), " \t\n") {
		return append([]string{"search"}, args...)
	}
	return args
}

// firstWord is the first of args that is no flag and no flag's value, which should be a command's name: "" without one, and
// with a flag that only the program without a command has.
func firstWord(root *cobra.Command, args []string) string {
	for i := 0; i < len(args); i++ {
		name, isFlag := strings.CutPrefix(args[i], "-")
		if !isFlag || name == "" {
			return args[i]
		}
		if args[i] == "--" {
			return ""
		}
		name, long := strings.CutPrefix(name, "-")
		name, _, withValue := strings.Cut(name, "=")
		if root.LocalNonPersistentFlags().Lookup(name) != nil {
			return ""
		}
		flag := root.PersistentFlags().Lookup(name)
		if !long {
			flag = root.PersistentFlags().ShorthandLookup(name[:1])
			if len(name) > 1 { // several flags without a value, or one with its value
				continue
			}
		}
		if !withValue && (flag == nil || flag.NoOptDefVal == "") {
			i++ // its value
		}
	}
	return ""
}
