package index

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

// makeEmbeddings makes the vectors of the configured endpoint.
func makeEmbeddings(ctx context.Context, c *app.App, args []string, remake bool) error {
	s, err := workspace.OpenProject(ctx, c, args...)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Parts.Index.WaitReady(ctx); err != nil {
		return err
	}
	counts, err := s.Parts.Engine.MigrateEmbeddings(ctx, remake, func(done, total int) {
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
			"records": counts.Records, "recordsFailed": counts.Without,
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
}
