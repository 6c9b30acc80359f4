package memory

import (
	"fmt"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// forgetCommand removes records from every answer.
func forgetCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "forget <id>...",
		Short:   "Remove memory records from every answer",
		Long:    "Remove memory records from every answer. \"aurora mem restore\" brings them back for 30 days, and so does remembering the same text again.",
		Example: "  aurora mem forget know:retries-use-jitter-1a2b3c4d",
		Args:    app.UsageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, ids []string) error {
			s, err := workspace.OpenMemory(cmd.Context(), c)
			if err != nil {
				return err
			}
			defer s.Close()
			if err := s.MemoryKept(); err != nil {
				return err
			}
			removed, err := s.Engine.Forget(cmd.Context(), ids)
			if err != nil {
				return err
			}
			return printForgotten(c, removed, ids)
		},
	}
}

func printForgotten(c *app.App, removed engine.Removal, ids []string) error {
	if c.JSON {
		return c.PrintJSON(api.FromRemoval(removed))
	}
	n := len(removed.IDs)
	if n == 0 {
		c.Wrapped("", "Nothing forgotten: no memory record is called "+strings.Join(ids, " or ")+".")
		return app.ErrNothing
	}
	fmt.Fprintf(c.Out, "Forgot %s\n", display.Count(n, "record"))
	c.Wrapped("", "Until "+removed.Until.Local().Format(time.DateOnly)+" this brings back: aurora mem restore "+strings.Join(removed.IDs, " "))
	return nil
}
