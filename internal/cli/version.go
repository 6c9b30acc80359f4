package cli

import (
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/spf13/cobra"
)

func versionCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  app.UsageArgs(cobra.NoArgs),
		RunE:  func(*cobra.Command, []string) error { return printVersion(c) },
	}
}

func printVersion(c *app.App) error {
	if c.JSON {
		return c.PrintJSON(app.ReadBuild())
	}
	fmt.Fprintln(c.Out, app.ReadBuild())
	return nil
}
