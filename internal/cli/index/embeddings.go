package index

import (
	"cmp"
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

// makeEmbeddings makes the vectors of the configured endpoint.
func makeEmbeddings(ctx context.Context, c *app.App, args []string, remake bool) error {
	a, err := workspace.OpenAnswers(ctx, c, 0, args...)
	if err != nil {
		return err
	}
	defer a.Close()
	if c.ErrTTY || c.Verbose > 0 {
		a.Progress = func(p engine.Progress) { fmt.Fprintln(c.Err, p.Detail) }
	}
	made, err := api.Embed.Call(ctx, a.Client, &api.EmbedParams{Remake: remake})
	if err != nil {
		return err
	}
	failed := error(nil)
	if n := made.Failed + made.RecordsFailed; n > 0 {
		failed = app.Failure("Call it again: what was made is kept.", fmt.Errorf("%s could not be made", display.Count(n, "vector")))
	}
	if c.JSON {
		return cmp.Or(c.PrintJSON(made), failed)
	}
	fmt.Fprintf(c.Out, "Indexed %d/%d chunks (%d failed) with %s\n", made.Chunks-made.Failed, made.Chunks, made.Failed, made.Model)
	if made.Records > 0 {
		fmt.Fprintf(c.Out, "Indexed %d/%s of memory\n", made.Records-made.RecordsFailed, display.Count(made.Records, "record"))
	}
	fmt.Fprintf(c.Out, "Asked for %s\n", display.Count(made.Made, "vector"))
	if made.Removed > 0 {
		fmt.Fprintf(c.Out, "Forgot the vectors of %s\n", display.Count(made.Removed, "other model"))
	}
	return failed
}
