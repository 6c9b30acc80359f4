package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/spf13/cobra"
)

// indexValidateCommand tells what would be indexed and compares the index with the disk (CLI-023).
func (c *cli) indexValidateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate",
		Short: "Say what the rules take in and keep out, and compare the index with the files",
		Long: `Say what the settings and ignore rules take in and keep out, then read every indexed file and compare it with
the index. The exit code is 1 when they differ.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: c.onIndex(func(ctx context.Context, s *session, _ []string) error {
			r, err := s.validate(ctx)
			if err != nil {
				return err
			}
			return c.printValidation(s, r)
		}),
	}
}

// A validation is the outcome of "aurora index validate".
type validation struct {
	Files   int            `json:"files"`
	Bytes   int64          `json:"bytes"`
	Places  map[string]int `json:"places"`  // files by the first element of their path
	Skipped map[string]int `json:"skipped"` // by the kind of rule
	Git     bool           `json:"git"`     // git tells what there is; what it ignores is not counted
	Checked int            `json:"checked"` // files compared with the index
	Faults  []string       `json:"faults"`
	Secrets int            `json:"secrets"` // places in indexed files that look like a secret

	Detected string   `json:"detected,omitempty"` // by auto: what tells where the project begins
	Watch    []string `json:"watchPaths,omitempty"`
	Warnings []string `json:"warnings,omitempty"` // about the rules
}

func (s *session) validate(ctx context.Context) (*validation, error) {
	surveys, err := s.index.Survey(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("look at the project: %w", err)
	}
	r := &validation{Places: map[string]int{}, Skipped: map[string]int{}, Faults: []string{}}
	for _, one := range surveys {
		r.Files += one.Files
		r.Bytes += one.Bytes
		r.Git = r.Git || one.Git
		maps.Copy(r.Places, one.Places)
		maps.Copy(r.Skipped, one.Skipped)
		r.Faults = append(r.Faults, one.Problems...)
		r.Warnings = append(r.Warnings, one.Warnings...)
		if one.Auto {
			r.Detected = one.Detected
		} else {
			r.Watch = append(r.Watch, one.Watch...)
		}
		if one.Refused != "" {
			r.Faults = append(r.Faults, one.Refused)
		}
	}
	checked, faults, err := s.index.Verify(ctx)
	if err != nil {
		return nil, fmt.Errorf("compare the index with the files: %w", err)
	}
	r.Checked = checked
	secrets, err := s.auditSecrets(ctx)
	if err != nil {
		return nil, err
	}
	r.Secrets = len(secrets.Secrets)
	for _, f := range faults {
		r.Faults = append(r.Faults, strings.TrimPrefix(strings.TrimPrefix(f.Path, s.root), string(filepath.Separator))+": "+f.Why)
	}
	slices.Sort(r.Faults)
	return r, nil
}

func (c *cli) printValidation(s *session, r *validation) error {
	if c.json {
		if err := c.printJSON(r); err != nil {
			return err
		}
	} else {
		c.printValidationText(s, r)
	}
	if len(r.Faults) > 0 {
		return &exit{code: exitFailed}
	}
	return nil
}

func (c *cli) printValidationText(s *session, r *validation) {
	fmt.Fprintf(c.out, "✓ Configuration valid\n✓ %s, %s, below %s\n", display.Count(r.Files, "indexable file"), display.Bytes(r.Bytes), s.root)
	if r.Detected != "" {
		fmt.Fprintf(c.out, "✓ No watch paths are set (auto): the project is %s\n", display.Clean(r.Detected))
	}
	if len(r.Watch) > 0 {
		fmt.Fprintf(c.out, "✓ Watch paths: %s\n", display.Clean(strings.Join(r.Watch, ", ")))
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(c.out, "! %s\n", display.Clean(warning))
	}
	for _, kind := range byCount(r.Skipped) {
		fmt.Fprintf(c.out, "✓ %d left out by %s\n", r.Skipped[kind], kind)
	}
	if r.Git {
		fmt.Fprintln(c.out, "✓ git tells which files there are; what it ignores is not counted here")
	}
	switch {
	case r.Secrets > 0:
		fmt.Fprintf(c.out, "! Security: %s like a secret; aurora index secrets lists them\n", display.Count(r.Secrets, "place")+map[bool]string{true: " looks", false: " look"}[r.Secrets == 1])
	case r.Files > 0:
		fmt.Fprintln(c.out, "✓ No security issues: nothing in the files looks like a secret")
	}
	if len(r.Faults) == 0 {
		fmt.Fprintf(c.out, "✓ %s read again: the index holds them as they are\n", display.Count(r.Checked, "file"))
	}
	for _, fault := range r.Faults {
		fmt.Fprintf(c.out, "✗ %s\n", display.Clean(fault))
	}
	if r.Files == 0 {
		return
	}
	fmt.Fprintln(c.out, "\nWhere they are:")
	for _, place := range byCount(r.Places) {
		name := place + "/"
		if place == "." {
			name = "(top level)"
		}
		fmt.Fprintf(c.out, "  %s → %s (%d%%)\n", display.Clean(name), display.Count(r.Places[place], "file"), 100*r.Places[place]/r.Files)
	}
}

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

// indexRebuildCommand deletes the stored index and makes it anew (CLI-027).
func (c *cli) indexRebuildCommand() *cobra.Command {
	f := &rebuildFlags{}
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Delete the stored index and make it anew; memory is not touched",
		Long: `Delete the stored index and make it anew, or only what lies below --paths. The index can always be made again
from the files; memory is not touched. In a terminal you are asked first, elsewhere --force is needed.`,
		Example: "  aurora index rebuild --dry-run\n  aurora index rebuild --paths src/auth --force",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return c.rebuild(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.force, "force", "f", false, "do not ask")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only say what would be done")
	flags.StringSliceVar(&f.paths, "paths", nil, "only files and folders at these paths")
	flags.BoolVar(&f.noVacuum, "no-vacuum", false, "ignored: a rebuild starts an empty database")
	flags.BoolVar(&f.keepErrors, "keep-errors", false, "ignored: files that failed are tried again")
	return cmd
}

// rebuild asks whoever has the index: the daemon of the project, or this process.
func (c *cli) rebuild(ctx context.Context, f *rebuildFlags) error {
	a, err := c.openAnswers(ctx, indexTimeout)
	if err != nil {
		return err
	}
	defer a.close()
	req := engine.RebuildRequest{Validate: true}
	for _, path := range f.paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return fmt.Errorf("find %s: %w", path, err)
		}
		req.Paths = append(req.Paths, abs)
	}
	planned, err := a.Rebuild(ctx, req)
	if err != nil {
		return err
	}
	if f.dryRun {
		return c.printRebuild(planned)
	}
	if !f.force {
		if err := c.confirmRebuild(planned); err != nil {
			return err
		}
	}
	req.Confirm, req.Validate = true, false
	result, err := a.Rebuild(ctx, req)
	if err != nil {
		return err
	}
	return c.finishRebuild(ctx, a, result)
}

// confirmRebuild asks on a terminal; without one it refuses.
func (c *cli) confirmRebuild(planned *engine.RebuildResult) error {
	if !c.errTTY || c.json {
		return usageError("Add --force, or --dry-run to see what would be done.", "a rebuild must be confirmed")
	}
	fmt.Fprintf(c.err, "Delete the stored index and re-index %s? [y/N] ", display.Count(planned.Files, "file"))
	line, _ := bufio.NewReader(c.in).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); answer != "y" && answer != "yes" {
		return failure("", errors.New("nothing was done"))
	}
	return nil
}

// finishRebuild waits for the end of a rebuild and tells of it.
func (c *cli) finishRebuild(ctx context.Context, a *answers, result *engine.RebuildResult) error {
	if a.session != nil {
		done := a.session.showProgress(false)
		defer done()
	}
	job, err := a.WaitJob(ctx, result.Job.ID)
	if err != nil {
		return fmt.Errorf("rebuild: %w", err)
	}
	if job.Status != index.JobCompleted {
		return failure("", fmt.Errorf("the rebuild was %s: %s", job.Status, job.Err))
	}
	if c.json {
		return c.printJSON(api.FromJob(job, c.now()))
	}
	scope := "Rebuild"
	if !result.Full {
		scope = "Partial rebuild"
	}
	fmt.Fprintf(c.out, "%s completed. Re-indexed %s.\n", scope, display.Count(result.Files, "file"))
	return nil
}

func (c *cli) printRebuild(planned *engine.RebuildResult) error {
	if c.json {
		return c.printJSON(api.FromRebuild(planned))
	}
	fmt.Fprintln(c.out, planned.Message)
	for _, lang := range byCount(planned.Languages) {
		fmt.Fprintf(c.out, "  %-14s %s\n", lang, display.Count(planned.Languages[lang], "file"))
	}
	fmt.Fprintf(c.out, "Source: %s. Present index: %s.\n", display.Bytes(planned.Bytes), display.Bytes(planned.StoreSize))
	return nil
}
