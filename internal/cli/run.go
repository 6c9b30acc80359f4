package cli

import (
	"context"
	"fmt"
	"strings"
	"unicode"

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

// withCommand makes a search of what stands where a command should and can't be one.
func withCommand(root *cobra.Command, args []string) []string {
	if word := strings.TrimSpace(firstWord(root, args)); strings.ContainsAny(word, " \t\n") || isCodeName(word) && !app.IsNearCommand(root, word) {
		return append([]string{"search"}, args...)
	}
	return args
}

// isCodeName reports whether a word is spelled as names of code and files are, and no name of a command is, but for those by which
// shells ask for completions.
func isCodeName(word string) bool {
	return !strings.HasPrefix(word, cobra.ShellCompRequestCmd) && strings.ContainsFunc(word, unicode.IsLetter) && strings.ContainsFunc(word, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' })
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
