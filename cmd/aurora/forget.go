package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/spf13/cobra"
)

// forgetCommand removes records from every answer.
func (c *cli) forgetCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "forget <id>...",
		Short:   "Remove memory records from every answer",
		Long:    "Remove memory records from every answer. \"aurora mem restore\" brings them back for 30 days, and so does remembering the same text again.",
		Example: "  aurora mem forget know:retries-use-jitter-1a2b3c4d",
		Args:    usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, ids []string) error {
			s, err := c.openMemory(cmd.Context())
			if err != nil {
				return err
			}
			defer s.close()
			if err := s.memoryKept(); err != nil {
				return err
			}
			removed, err := s.engine.Forget(cmd.Context(), ids)
			if err != nil {
				return err
			}
			return c.printForgotten(removed, ids)
		},
	}
}

func (c *cli) printForgotten(removed engine.Removal, ids []string) error {
	if c.json {
		return c.printJSON(api.FromRemoval(removed))
	}
	n := len(removed.IDs)
	if n == 0 {
		c.wrapped("", "Nothing forgotten: no memory record is called "+strings.Join(ids, " or ")+".")
		return errNothing
	}
	fmt.Fprintf(c.out, "Forgot %s\n", display.Count(n, "record"))
	c.wrapped("", "Until "+removed.Until.Local().Format(time.DateOnly)+" this brings back: aurora mem restore "+strings.Join(removed.IDs, " "))
	return nil
}
