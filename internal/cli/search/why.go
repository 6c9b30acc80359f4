package search

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// WhyCommand tells why a line is as it is.
func WhyCommand(c *app.App) *cobra.Command {
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "why <path>:<line>[:<last line>]",
		Short: "Show why a line is as it is",
		Long: `Show the commits that wrote a line or a range of lines, followed through renames, moves and reformatting, with their
messages, issues and pull requests, the change before, and the notes about the lines. Commits that .git-blame-ignore-revs lists
are passed over.`,
		Example: `  aurora why cart/cart.go:12
  aurora why cart/cart.go:12:30 --json`,
		Args: app.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return why(c, cmd, args[0], timeout) },
	}
	app.AddTimeout(cmd, &timeout)
	return cmd
}

func why(c *app.App, cmd *cobra.Command, subject string, timeout time.Duration) error {
	path, line, last := SplitPlace(subject)
	if line == 0 {
		return app.UsageError("Give path:line, such as cart/cart.go:12.", "'%s' is no line of a file", subject)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("find %s: %w", path, err)
	}
	project, err := workspace.OpenAnswers(cmd.Context(), c, timeout)
	if err != nil {
		return err
	}
	defer project.Close()
	result, err := api.Why.Call(cmd.Context(), project.Client, &api.WhyParams{Path: abs, Line: line, EndLine: last})
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(result)
	}
	_, err = fmt.Fprintln(c.Out, result.Markdown)
	return err
}
