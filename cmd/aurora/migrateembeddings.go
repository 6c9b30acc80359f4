package main

import (
	"fmt"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/spf13/cobra"
)

// migrateEmbeddingsCommand makes the vectors of the configured endpoint.
func (c *cli) migrateEmbeddingsCommand() *cobra.Command {
	rebuild := false
	cmd := &cobra.Command{
		Use:   "migrate-embeddings",
		Short: "Make the vectors of the configured embedding endpoint, and forget those of other models",
		Long: `Ask the endpoint of the settings embeddings.* for a vector of every chunk of the project that has none yet, and then
forget the vectors of other models. What was made once, in whatever project, is not sent again. A running daemon does the same
in the background; the files are shared.

When the endpoint has another model than the vectors were made with, the command stops, unless --rebuild is given or
embeddings.reindex_on_model_change is on.`,
		Example: "  aurora mem migrate-embeddings\n  aurora mem migrate-embeddings --rebuild",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			s, err := c.openProject(ctx)
			if err != nil {
				return err
			}
			defer s.close()
			if err := s.index.WaitReady(ctx); err != nil {
				return err
			}
			counts, err := s.engine.MigrateEmbeddings(ctx, rebuild, func(done, total int) {
				if c.errTTY || c.verbose > 0 {
					fmt.Fprintf(c.err, "%d of %d chunks\n", done, total)
				}
			})
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(map[string]any{
					"chunks": counts.Chunks, "made": counts.Made, "failed": counts.Failed, "model": counts.Model, "removed": counts.Removed,
					"records": counts.Records, "records_failed": counts.Without,
				})
			}
			fmt.Fprintf(c.out, "Indexed %d/%d chunks (%d failed) with %s\n", counts.Chunks-counts.Failed, counts.Chunks, counts.Failed, counts.Model)
			if counts.Records > 0 {
				fmt.Fprintf(c.out, "Indexed %d/%s of memory\n", counts.Records-counts.Without, display.Count(counts.Records, "record"))
			}
			fmt.Fprintf(c.out, "Asked for %s\n", display.Count(counts.Made, "vector"))
			if counts.Removed > 0 {
				fmt.Fprintf(c.out, "Forgot the vectors of %s\n", display.Count(counts.Removed, "other model"))
			}
			if counts.Failed+counts.Without > 0 {
				return errNothing
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&rebuild, "rebuild", false, "make all vectors anew when the endpoint has another model than before")
	return cmd
}
