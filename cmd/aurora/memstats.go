package main

import (
	"fmt"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/lsp/protocol"
	"github.com/spf13/cobra"
)

// memStatsCommand counts what is remembered.
func (c *cli) memStatsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Count what is remembered",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := c.openMemory(cmd.Context())
			if err != nil {
				return err
			}
			defer s.close()
			status, err := s.engine.Status(cmd.Context())
			if err != nil {
				return err
			}
			m := status.Memory
			if c.json {
				return c.printJSON(protocol.MemoryCounts(m))
			}
			path := m.Path
			if path == "" {
				path = "in memory only"
			}
			fmt.Fprintf(c.out, "Knowledge: %d\nReasoning: %d\nSize:      %s\nDatabase:  %s\n",
				m.Knowledge, m.Reasoning, display.Bytes(m.SizeBytes), display.Clean(path))
			return nil
		},
	}
}
