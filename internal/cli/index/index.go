package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
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
	var force, embeddings, remake bool
	cmd := &cobra.Command{
		Use:   "index [path]",
		Short: "Index a project and print a summary",
		Long: `Index a project and print a summary. Editors index by themselves; this is for a first look, for
scripts, and after changing ignore rules. Only what changed since the last time is read and parsed.

--embeddings asks the endpoint of the settings embeddings.* for a vector of every chunk that has none yet, and then removes
the vectors of other models. What was made once, in whatever project, is not sent again. A running daemon does the same in
the background; the files are shared. When the vectors were made by another model, the command stops, unless --remake is
given or embeddings.reindex_on_model_change is on.`,
		Example: "  aurora index\n  aurora index ~/src/server --force\n  aurora index --embeddings",
		Args:    app.UsageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := suggestIndexCommand(cmd, args); err != nil {
				return err
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
	cmd.MarkFlagsMutuallyExclusive("force", "embeddings")
	cmd.MarkFlagsMutuallyExclusive("force", "remake")
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
	s, err := workspace.OpenProject(ctx, c, args...)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Refusal(); err != nil {
		return err
	}
	if err := indexAll(s, ctx, force); err != nil {
		return err
	}
	sum, err := summarize(s, ctx)
	if err != nil {
		return err
	}
	sum.ElapsedMs = c.Now().Sub(start).Milliseconds()
	if c.JSON {
		return c.PrintJSON(sum)
	}
	fmt.Fprint(c.Out, sum)
	printProblems(c, sum)
	return nil
}

// indexAll waits for the scan that opening started and, with force, for a second one that parses everything.
func indexAll(s *workspace.Session, ctx context.Context, force bool) error {
	done := s.ShowProgress(true)
	defer done()
	if err := s.Parts.Index.WaitReady(ctx); err != nil {
		return fmt.Errorf("index %s: %w", s.Root, err)
	}
	if force || !s.Parts.Settings.Index.Bootstrap.Enabled {
		if _, err := s.Parts.Index.Refresh(ctx, nil, force); err != nil {
			return fmt.Errorf("index %s again: %w", s.Root, err)
		}
	}
	if err := s.Parts.Index.Flush(ctx); err != nil {
		return fmt.Errorf("index %s: %w", s.Root, err)
	}
	return nil
}

// summarize counts what the index holds now.
func summarize(s *workspace.Session, ctx context.Context) (*summary, error) {
	st, err := s.Parts.Engine.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("ask for the status: %w", err)
	}
	sum := &summary{Project: s.Root, Reasoning: st.Memory.Reasoning, Knowledge: st.Memory.Knowledge, Problems: []string{}}
	if indexed, err := s.Parts.Engine.Conversations().Index(ctx); err == nil {
		sum.Knowledge += indexed
	} else {
		sum.Warnings++
		sum.Problems = append(sum.Problems, err.Error())
	}
	for f := range s.Parts.Index.Snapshot().Files() {
		sum.Files++
		sum.Total += len(f.Chunks)
		for i := range f.Chunks {
			if t := f.Chunks[i].Type; t == chunk.Function || t == chunk.Method || t == chunk.Class {
				sum.Code++
			}
		}
		if f.Errors {
			sum.Warnings++
			sum.Problems = append(sum.Problems, f.Path+": a part of it does not parse; the rest is indexed")
		}
	}
	slices.Sort(sum.Problems)
	sum.Total += sum.Reasoning + sum.Knowledge
	addTrouble(s, sum, &st.Index)
	return sum, nil
}

// addTrouble counts what kept the index from being whole: without a store the run was in vain, which is an error;
// everything else is a warning.
func addTrouble(s *workspace.Session, sum *summary, st *index.Status) {
	sum.Files += st.Failed
	for path, why := range s.Parts.Index.Failures() {
		if rel, err := filepath.Rel(s.Root, path); err == nil {
			path = filepath.ToSlash(rel)
		}
		sum.Warnings++
		sum.Problems = append(sum.Problems, path+": "+why)
	}
	slices.Sort(sum.Problems)
	if st.SizeBytes > 0 {
		sum.Store = s.Parts.Settings.Storage.Dir
	} else {
		sum.Errors++
	}
	sum.Warnings += len(st.Warnings) + len(s.Parts.Warnings)
	sum.Problems = slices.Concat(s.Parts.Warnings, st.Warnings, sum.Problems)
	if st.Writer == "other" {
		sum.Warnings++
		sum.Problems = append(sum.Problems, "another aurora process writes this index; it saves what it finds itself")
	}
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
