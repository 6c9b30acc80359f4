package index

import (
	"cmp"
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
	failed := error(nil)
	if n := counts.Failed + counts.Without; n > 0 {
		failed = app.Failure("Call it again: what was made is kept.", fmt.Errorf("%s could not be made", display.Count(n, "vector")))
	}
	if c.JSON {
		return cmp.Or(c.PrintJSON(embeddingCounts{
			Chunks: counts.Chunks, Made: counts.Made, Failed: counts.Failed, Model: counts.Model, Removed: counts.Removed,
			Records: counts.Records, RecordsFailed: counts.Without,
		}), failed)
	}
	fmt.Fprintf(c.Out, "Indexed %d/%d chunks (%d failed) with %s\n", counts.Chunks-counts.Failed, counts.Chunks, counts.Failed, counts.Model)
	if counts.Records > 0 {
		fmt.Fprintf(c.Out, "Indexed %d/%s of memory\n", counts.Records-counts.Without, display.Count(counts.Records, "record"))
	}
	fmt.Fprintf(c.Out, "Asked for %s\n", display.Count(counts.Made, "vector"))
	if counts.Removed > 0 {
		fmt.Fprintf(c.Out, "Forgot the vectors of %s\n", display.Count(counts.Removed, "other model"))
	}
	return failed
}

// embeddingCounts are the result of index --embeddings.
type embeddingCounts struct {
	Chunks        int    `json:"chunks"`
	Made          int    `json:"made"` // vectors that were asked for
	Failed        int    `json:"failed"`
	Model         string `json:"model"`
	Removed       int    `json:"removed"` // other models whose vectors went
	Records       int    `json:"records"`
	RecordsFailed int    `json:"recordsFailed"`
}
