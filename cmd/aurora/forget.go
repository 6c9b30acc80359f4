package main

import (
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/lsp/protocol"
	"github.com/spf13/cobra"
)

// forgetCommand removes records from every answer.
func (c *cli) forgetCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "forget <id>...",
		Short:   "Remove memory records from every answer",
		Long:    "Remove memory records from every answer. Remembering the same text again within 30 days brings a record back.",
		Example: "  aurora mem forget know:retries-use-jitter-1a2b3c4d",
		Args:    usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, ids []string) error {
			s, err := c.openMemory(cmd.Context())
			if err != nil {
				return err
			}
			defer s.close()
			n, err := s.engine.Forget(cmd.Context(), ids)
			if err != nil {
				return err
			}
			return c.printForgotten(n, ids)
		},
	}
}

func (c *cli) printForgotten(n int, ids []string) error {
	if c.json {
		return c.printJSON(protocol.ForgetResult{Deleted: n})
	}
	if n == 0 {
		c.wrapped("", "Nothing forgotten: no memory record is called "+strings.Join(ids, " or ")+".")
		return errNothing
	}
	fmt.Fprintf(c.out, "Forgot %s\n", display.Count(n, "record"))
	return nil
}
