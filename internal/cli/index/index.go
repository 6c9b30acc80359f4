package index

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// TreeCommand is "aurora index" with the commands that look at the index.
func TreeCommand(c *app.App) *cobra.Command {
	cmd := Command(c)
	cmd.AddCommand(indexCheckCommand(c), indexListCommand(c), indexRebuildCommand(c))
	return cmd
}

// Command indexes a project now.
func Command(c *app.App) *cobra.Command {
	var force, embeddings, remake, push bool
	cmd := &cobra.Command{
		Use:   "index [path]",
		Short: "Index a project and print a summary",
		Long: `Index a project and print a summary. Editors index by themselves; this is for a first look, for
scripts, and after changing ignore rules. Only what changed since the last time is read and parsed.

--embeddings asks the endpoint of the settings embeddings.* for a vector of every chunk that has none yet, and then removes
the vectors of other models. What was made once, in whatever project, is not sent again. A running daemon does the same in
the background; the files are shared. When the vectors were made by another model, the command stops, unless --remake is
given or embeddings.reindex_on_model_change is on.

--push puts what was made of the files of HEAD into the cache that storage.shared_cache.url names, signed by the key in
$AURORA_SIGNING_KEY, so that others fetch it. What git does not track, what differs from HEAD and files with secrets stay
here. It is for CI.`,
		Example: "  aurora index\n  aurora index ~/src/server --force\n  aurora index --embeddings\n  AURORA_SIGNING_KEY=... aurora index --push",
		Args:    app.UsageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := suggestIndexCommand(cmd, args); err != nil {
				return err
			}
			if push {
				return pushIndex(cmd.Context(), c, args)
			}
			if embeddings || remake {
				return makeEmbeddings(cmd.Context(), c, args, remake)
			}
			return indexProject(cmd.Context(), c, args, force)
		},
	}
	cmd.Flags().BoolVarP(&force, "force", "f", false, "parse unchanged files again, too")
	cmd.Flags().BoolVar(&embeddings, "embeddings", false, "make the vectors of the configured embedding endpoint")
	cmd.Flags().BoolVar(&remake, "remake", false, "make all vectors again when the endpoint has another model than before")
	cmd.Flags().BoolVar(&push, "push", false, "fill the shared cache from the files of HEAD")
	for _, other := range []string{"embeddings", "remake"} {
		cmd.MarkFlagsMutuallyExclusive("force", other)
		cmd.MarkFlagsMutuallyExclusive("push", other)
	}
	cmd.MarkFlagsMutuallyExclusive("push", "force")
	return cmd
}

// meantIndexCommand refuses "index chck": what is no folder, and the name of a subcommand with a typing error.
func suggestIndexCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if _, err := os.Stat(args[0]); err == nil {
		return nil
	}
	if nearest := app.Nearest(args[0], app.CommandNames(cmd)); nearest != "" {
		return app.UsageError("Did you mean: "+cmd.CommandPath()+" "+nearest, "'%s' is neither a folder nor a command of %s", args[0], cmd.CommandPath())
	}
	return nil
}

func indexProject(ctx context.Context, c *app.App, args []string, force bool) error {
	start := c.Now()
	a, err := workspace.OpenAnswers(ctx, c, 0, args...)
	if err != nil {
		return err
	}
	defer a.Close()
	if err := indexAll(ctx, a, force); err != nil {
		return err
	}
	counted, err := api.SummarizeIndex.Call(ctx, a.Client, &api.IndexSummaryParams{})
	if err != nil {
		return err
	}
	sum := &summary{IndexSummary: *counted, Project: a.Root, ElapsedMs: c.Now().Sub(start).Milliseconds()}
	if sum.Stored {
		sum.Store = a.Settings.Storage.Dir
	}
	if a.Session != nil {
		sum.Warnings += len(a.Session.Parts.Warnings)
		sum.Problems = slices.Insert(sum.Problems, 0, a.Session.Parts.Warnings...)
	}
	if c.JSON {
		return c.PrintJSON(sum)
	}
	fmt.Fprint(c.Out, sum)
	printProblems(c, sum)
	return nil
}

// indexAll waits for the scan that opening started. With force, in a daemon and where opening scans nothing, all files are
// looked at once more.
func indexAll(ctx context.Context, a *workspace.Answers, force bool) error {
	if a.Session != nil {
		if err := a.Session.Refusal(); err != nil {
			return err
		}
		defer a.Session.ShowProgress(true)()
	}
	if _, err := api.Ready.Call(ctx, a.Client, &api.ReadyParams{}); err != nil {
		return fmt.Errorf("index %s: %w", a.Root, err)
	}
	if force || a.Daemon != nil || !a.Settings.Index.Bootstrap.Enabled {
		if _, err := api.Refresh.Call(ctx, a.Client, &api.RefreshParams{Force: force, Wait: true}); err != nil {
			return fmt.Errorf("index %s again: %w", a.Root, err)
		}
		return nil
	}
	return a.Session.Parts.Index.Flush(ctx)
}

// maxProblems is how many problems are listed without -v.
const maxProblems = 5

func printProblems(c *app.App, sum *summary) {
	shown := len(sum.Problems)
	if c.Verbose == 0 {
		shown = min(shown, maxProblems)
	}
	for _, p := range sum.Problems[:shown] {
		c.Warn(display.Clean(p))
	}
	if rest := len(sum.Problems) - shown; rest > 0 {
		c.Warn(fmt.Sprintf("and %d more; -v lists them", rest))
	}
	if c.Verbose > 0 {
		fmt.Fprintf(c.Err, "Took %s\n", (time.Duration(sum.ElapsedMs) * time.Millisecond).Round(10*time.Millisecond))
	}
}
