package index

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// byCount returns the keys, the one with the greatest number first.
func byCount(counts map[string]int) []string {
	keys := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(keys, func(a, b string) int { return counts[b] - counts[a] })
	return keys
}

// rebuildFlags are the flags of "aurora index rebuild".
type rebuildFlags struct {
	force, dryRun, noVacuum, keepErrors bool
	paths                               []string
}

// indexRebuildCommand deletes the stored index and makes it again.
func indexRebuildCommand(c *app.App) *cobra.Command {
	f := &rebuildFlags{}
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Delete the stored index and build it again; memory is not touched",
		Long: `Delete the stored index and build it again, or only what lies below --paths. The index can always be made again
from the files; memory is not touched. In a terminal you are asked first, elsewhere --force is needed.`,
		Example: "  aurora index rebuild --dry-run\n  aurora index rebuild --paths src/auth --force",
		Args:    app.UsageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return rebuild(cmd.Context(), c, f) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.force, "force", "f", false, "do not ask")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only show what would be done")
	flags.StringSliceVar(&f.paths, "paths", nil, "only files and folders at these paths")
	flags.BoolVar(&f.noVacuum, "no-vacuum", false, "ignored: a rebuild starts an empty database")
	flags.BoolVar(&f.keepErrors, "keep-errors", false, "ignored: files that failed are tried again")
	return cmd
}

// rebuild asks the holder of the index: the daemon of the project, or this process.
func rebuild(ctx context.Context, c *app.App, f *rebuildFlags) error {
	a, err := workspace.OpenAnswers(ctx, c, workspace.IndexTimeout)
	if err != nil {
		return err
	}
	defer a.Close()
	req := &api.RebuildParams{Options: api.RebuildOptions{ValidateOnly: true}}
	for _, path := range f.paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return fmt.Errorf("find %s: %w", path, err)
		}
		req.Paths = append(req.Paths, abs)
	}
	planned, err := api.Rebuild.Call(ctx, a.Client, req)
	if err != nil {
		return err
	}
	if f.dryRun {
		return printRebuild(c, planned)
	}
	if !f.force {
		if err := confirmRebuild(c, planned); err != nil {
			return err
		}
	}
	req.Confirm, req.Options.ValidateOnly = true, false
	result, err := api.Rebuild.Call(ctx, a.Client, req)
	if err != nil {
		return err
	}
	return finishRebuild(ctx, c, a, result)
}

// confirmRebuild asks on a terminal; without one it refuses.
func confirmRebuild(c *app.App, planned *api.RebuildResult) error {
	if !c.ErrTTY || c.JSON {
		return app.UsageError("Add --force, or --dry-run to see what would be done.", "a rebuild must be confirmed")
	}
	fmt.Fprintf(c.Err, "Delete the stored index and re-index %s? [y/N] ", display.Count(planned.EstimatedFiles, "file"))
	line, _ := bufio.NewReader(c.In).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return app.Failure("", errors.New("nothing was done"))
	}
	return nil
}

// finishRebuild waits for the end of a rebuild and tells of it.
func finishRebuild(ctx context.Context, c *app.App, a *workspace.Answers, result *api.RebuildResult) error {
	done := func() {}
	if a.Session != nil {
		done = a.Session.ShowProgress(false)
	}
	job, err := api.JobStatus.Call(ctx, a.Client, &api.JobParams{JobID: result.JobID, Wait: true})
	done() // before anything is printed beside the bar
	if err != nil {
		return fmt.Errorf("rebuild: %w", err)
	}
	if job.Status != string(index.JobCompleted) {
		return app.Failure("", fmt.Errorf("the rebuild was %s: %s", job.Status, job.Error))
	}
	if c.JSON {
		return c.PrintJSON(job)
	}
	scope := "Rebuild"
	if result.Scope != "full" {
		scope = "Partial rebuild"
	}
	fmt.Fprintf(c.Out, "%s completed. Re-indexed %s.\n", scope, display.Count(result.EstimatedFiles, "file"))
	return nil
}

func printRebuild(c *app.App, planned *api.RebuildResult) error {
	if c.JSON {
		return c.PrintJSON(planned)
	}
	fmt.Fprintln(c.Out, planned.Message)
	for _, lang := range byCount(planned.Details.ByLanguage) {
		fmt.Fprintf(c.Out, "  %-14s %s\n", lang, display.Count(planned.Details.ByLanguage[lang], "file"))
	}
	fmt.Fprintf(c.Out, "Source: %s. Present index: %s.\n", display.Bytes(planned.Details.SourceBytes), display.Bytes(planned.Details.IndexBytes))
	return nil
}
