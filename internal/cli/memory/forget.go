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

// ForgetCommand removes records from every answer, and brings them back.
func ForgetCommand(c *app.App) *cobra.Command {
	undo, limit := false, 0
	cmd := &cobra.Command{
		Use:   "forget <id>...",
		Short: "Remove memory records from every answer, or restore them",
		Long: `Remove memory records from every answer. --undo brings them back for 30 days, and so does remembering the same text
again; --undo without ids lists what was forgotten.`,
		Example: "  aurora forget know:retries-use-jitter-1a2b3c4d\n  aurora forget --undo\n  aurora forget --undo know:retries-use-jitter-1a2b3c4d",
		Args: func(cmd *cobra.Command, args []string) error {
			if undo || len(args) > 0 {
				return nil
			}
			return app.UsageError("Try: aurora forget know:retries-use-jitter-1a2b3c4d", "missing id of a record")
		},
		RunE: onKeptMemory(c, func(cmd *cobra.Command, s *workspace.Session, ids []string) error {
			if undo {
				return undoForget(c, cmd, s, ids, limit)
			}
			removed, err := s.Engine.Forget(cmd.Context(), ids)
			if err != nil {
				return err
			}
			return printForgotten(c, removed, ids)
		}),
	}
	cmd.Flags().BoolVar(&undo, "undo", false, "restore these records, or list what was forgotten")
	cmd.Flags().IntVar(&limit, "limit", 0, "with --undo: most records to list; 0 means 10")
	return cmd
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
	c.Wrapped("", "Until "+removed.Until.Local().Format(time.DateOnly)+" this brings back: aurora forget --undo "+strings.Join(removed.IDs, " "))
	return nil
}
