package memory

import (
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// migrateEmbeddingsCommand makes the vectors of the configured endpoint.
func migrateEmbeddingsCommand(c *app.App) *cobra.Command {
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
		Args:    app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			s, err := workspace.OpenProject(ctx, c)
			if err != nil {
				return err
			}
			defer s.Close()
			if err := s.Index.WaitReady(ctx); err != nil {
				return err
			}
			counts, err := s.Engine.MigrateEmbeddings(ctx, rebuild, func(done, total int) {
				if c.ErrTTY || c.Verbose > 0 {
					fmt.Fprintf(c.Err, "%d of %d chunks\n", done, total)
				}
			})
			if err != nil {
				return err
			}
			if c.JSON {
				return c.PrintJSON(map[string]any{
					"chunks": counts.Chunks, "made": counts.Made, "failed": counts.Failed, "model": counts.Model, "removed": counts.Removed,
					"records": counts.Records, "records_failed": counts.Without,
				})
			}
			fmt.Fprintf(c.Out, "Indexed %d/%d chunks (%d failed) with %s\n", counts.Chunks-counts.Failed, counts.Chunks, counts.Failed, counts.Model)
			if counts.Records > 0 {
				fmt.Fprintf(c.Out, "Indexed %d/%s of memory\n", counts.Records-counts.Without, display.Count(counts.Records, "record"))
			}
			fmt.Fprintf(c.Out, "Asked for %s\n", display.Count(counts.Made, "vector"))
			if counts.Removed > 0 {
				fmt.Fprintf(c.Out, "Forgot the vectors of %s\n", display.Count(counts.Removed, "other model"))
			}
			if counts.Failed+counts.Without > 0 {
				return app.ErrNothing
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&rebuild, "rebuild", false, "make all vectors again when the endpoint has another model than before")
	return cmd
}
