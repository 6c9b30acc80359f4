package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/index/chunk"
	"github.com/spf13/cobra"
)

// indexCommand indexes a project now.
func (c *cli) indexCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "index [path]",
		Short: "Index a project now and say what was found",
		Long: `Index a project now and say what was found. Editors index by themselves; this is for a first look, for
scripts, and after changing ignore rules. Only what changed since the last time is read and parsed.`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := meantIndexCommand(cmd, args); err != nil {
				return err
			}
			return c.index(cmd.Context(), args, force)
		},
	}
	cmd.Flags().BoolVarP(&force, "force", "f", false, "parse unchanged files again, too")
	return cmd
}

// meantIndexCommand refuses "index chck": what is no folder, and the name of a subcommand with a typing error.
func meantIndexCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if _, err := os.Stat(args[0]); err == nil {
		return nil
	}
	if meant := nearest(args[0], commandNames(cmd)); meant != "" {
		return usageError(fmt.Sprintf("Did you mean '%s'?", meant), "'%s' is neither a folder nor a command of %s", args[0], cmd.CommandPath())
	}
	return nil
}

// indexTreeCommand is "aurora index" with the commands that look at the index.
func (c *cli) indexTreeCommand() *cobra.Command {
	cmd := c.indexCommand()
	cmd.AddCommand(c.indexCheckCommand(), c.indexListCommand(), c.indexSecretsCommand(), c.indexStatsCommand(), c.indexValidateCommand(), c.indexRebuildCommand())
	return cmd
}

// memIndexCommand is the same under "aur mem" (CLI-016).
func (c *cli) memIndexCommand() *cobra.Command {
	cmd := c.indexCommand()
	cmd.Short = "Index a project now (the same as: aurora index)"
	return cmd
}

// rebuildCommand builds the lexical index anew (CLI-017).
func (c *cli) rebuildCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rebuild-bm25",
		Short: "Build the lexical index anew (the same as: aurora index --force)",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.index(cmd.Context(), nil, true)
		},
	}
}

func (c *cli) index(ctx context.Context, args []string, force bool) error {
	start := c.now()
	s, err := c.openProject(ctx, args...)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.refusal(); err != nil {
		return err
	}
	if err := s.indexAll(ctx, force); err != nil {
		return err
	}
	sum, err := s.summarize(ctx)
	if err != nil {
		return err
	}
	sum.ElapsedMs = c.now().Sub(start).Milliseconds()
	if c.json {
		return c.printJSON(sum)
	}
	fmt.Fprint(c.out, sum)
	c.printProblems(sum)
	return nil
}

// indexAll waits for the scan that opening started and, with force, for a second one that parses everything.
func (s *session) indexAll(ctx context.Context, force bool) error {
	done := s.showProgress(true)
	defer done()
	if err := s.index.WaitReady(ctx); err != nil {
		return fmt.Errorf("index %s: %w", s.root, err)
	}
	if force || !s.settings.Index.Bootstrap.Enabled {
		if _, err := s.index.Refresh(ctx, nil, force); err != nil {
			return fmt.Errorf("index %s again: %w", s.root, err)
		}
	}
	if err := s.index.Flush(ctx); err != nil {
		return fmt.Errorf("index %s: %w", s.root, err)
	}
	return nil
}

// summarize counts what the index holds now.
func (s *session) summarize(ctx context.Context) (*summary, error) {
	st, err := s.engine.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("ask for the status: %w", err)
	}
	sum := &summary{Project: s.root, Reasoning: st.Memory.Reasoning, Knowledge: st.Memory.Knowledge, Problems: []string{}}
	if told, err := s.engine.IndexConversations(ctx); err == nil {
		sum.Knowledge += told
	} else {
		sum.Warnings++
		sum.Problems = append(sum.Problems, err.Error())
	}
	for f := range s.index.Snapshot().Files() {
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
	s.addTrouble(sum, &st.Index)
	return sum, nil
}

// addTrouble counts what kept the index from being whole: without a store the run was in vain, which is an error;
// everything else is a warning.
func (s *session) addTrouble(sum *summary, st *index.Status) {
	sum.Files += st.Failed
	for path, why := range s.index.Failures() {
		if rel, err := filepath.Rel(s.root, path); err == nil {
			path = filepath.ToSlash(rel)
		}
		sum.Warnings++
		sum.Problems = append(sum.Problems, path+": "+why)
	}
	slices.Sort(sum.Problems)
	if st.SizeBytes > 0 {
		sum.Store = s.settings.Storage.Dir
	} else {
		sum.Errors++
	}
	sum.Warnings += len(st.Warnings) + len(s.warnings)
	sum.Problems = slices.Concat(s.warnings, st.Warnings, sum.Problems)
	if st.Writer == "other" {
		sum.Warnings++
		sum.Problems = append(sum.Problems, "another aurora process writes this index; it saves what it finds itself")
	}
}

// maxProblems is how many problems are listed without -v.
const maxProblems = 5

func (c *cli) printProblems(sum *summary) {
	shown := len(sum.Problems)
	if c.verbose == 0 {
		shown = min(shown, maxProblems)
	}
	for _, p := range sum.Problems[:shown] {
		c.warn(display.Clean(p))
	}
	if rest := len(sum.Problems) - shown; rest > 0 {
		c.warn(fmt.Sprintf("and %d more; -v lists them", rest))
	}
	if c.verbose > 0 {
		fmt.Fprintf(c.err, "Took %s\n", (time.Duration(sum.ElapsedMs) * time.Millisecond).Round(10*time.Millisecond))
	}
}
