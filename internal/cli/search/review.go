package search

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// reviewLevels are the severities, the least first.
var reviewLevels = []string{"note", "warning", "error"}

// reviewOptions are the flags of review.
type reviewOptions struct {
	params  api.ReviewParams
	patch   string
	level   string
	sarif   bool
	dismiss api.DismissParams
	undo    []string
	timeout time.Duration
}

// ReviewCommand reviews a change.
func ReviewCommand(c *app.App) *cobra.Command {
	o := &reviewOptions{}
	cmd := &cobra.Command{
		Use:   "review [<branch>..]",
		Short: "Review a change for what it leaves behind",
		Long: `Review the work tree, what is staged, a branch since it left another, or a patch. Shown are secrets in added lines, notes
and decisions about the changed code, uses of what was removed or renamed, imports of files that were moved, callers of functions
whose parameters changed, comments that name a removed parameter, files that usually change with the changed ones and are not in
the diff, and the commands that test what changed. A changed function is one finding with its first places below; -v, --json and
--sarif list them all.

What has nothing to do with the change is not found again after --not-related with its id, the f-... in brackets; --related takes
that back.

With --summary the configured model says first, in a few sentences, what was found. Each names the findings that it rests on, and what
they do not say is left out.

The exit code is 0 when there is no finding of the level or above, 1 when there is one, and 2 when --not-related names none of
this change.`,
		Example: `  aurora review
  aurora review --staged --level error
  aurora review main.. --sarif > review.sarif
  git diff HEAD~3 | aurora review --patch -`,
		Args: app.UsageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.params.Range = strings.Join(args, "")
			return review(cmd.Context(), c, o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.params.Staged, "staged", false, "review what is staged")
	flags.StringVar(&o.patch, "patch", "", "review the unified diff in a `file`; - is standard input")
	flags.StringVar(&o.level, "level", "warning", "least `severity` that fails: note, warning, error")
	flags.BoolVar(&o.sarif, "sarif", false, "print SARIF 2.1.0")
	flags.BoolVar(&o.params.Summary, "summary", false, "begin with what the model says of the findings in a few sentences")
	cmd.MarkFlagsMutuallyExclusive("summary", "sarif")
	cmd.MarkFlagsMutuallyExclusive("staged", "patch")
	flags.StringSliceVar(&o.dismiss.IDs, "not-related", nil, "never find these again, by the `ids` of findings")
	flags.StringSliceVar(&o.undo, "related", nil, "find these again, by the `ids` of findings")
	cmd.MarkFlagsMutuallyExclusive("not-related", "related")
	app.AddTimeout(cmd, &o.timeout)
	return cmd
}

func review(ctx context.Context, c *app.App, o *reviewOptions) error {
	if !slices.Contains(reviewLevels, o.level) {
		return app.UsageError("Use note, warning or error.", "'%s' is no level", o.level)
	}
	if o.params.Range != "" && (o.params.Staged || o.patch != "") {
		return app.UsageError("Give one of them.", "a branch can't be reviewed together with --staged or --patch")
	}
	if err := o.readPatch(c.In); err != nil {
		return err
	}
	project, err := workspace.OpenAnswers(ctx, c, o.timeout)
	if err != nil {
		return err
	}
	defer project.Close()
	if len(o.dismiss.IDs)+len(o.undo) > 0 {
		return dismiss(ctx, c, project.Client, o)
	}
	result, err := api.Review.Call(ctx, project.Client, &o.params)
	if err != nil {
		return err
	}
	if err := printReview(c, o, result); err != nil {
		return err
	}
	if slices.ContainsFunc(result.Findings, func(f api.ReviewFinding) bool {
		return slices.Index(reviewLevels, f.Severity) >= slices.Index(reviewLevels, o.level)
	}) {
		return &app.Exit{Code: app.ExitFailed}
	}
	return nil
}

// dismiss keeps findings from being made again, or undoes that.
func dismiss(ctx context.Context, c *app.App, client api.Client, o *reviewOptions) error {
	notice := "Not found again: %s. Undo: aurora review --related %[1]s\n"
	if len(o.undo) > 0 {
		notice, o.dismiss = "Found again: %s\n", api.DismissParams{IDs: o.undo, Undo: true}
	}
	if !o.dismiss.Undo {
		if err := o.known(ctx, client); err != nil {
			return err
		}
	}
	result, err := api.Dismiss.Call(ctx, client, &o.dismiss)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(result)
	}
	fmt.Fprintf(c.Out, notice, strings.Join(result.IDs, ","))
	return nil
}

// known fails unless the reviewed change has findings of the ids: nothing else can be called not related.
func (o *reviewOptions) known(ctx context.Context, client api.Client) error {
	result, err := api.Review.Call(ctx, client, &o.params)
	if err != nil {
		return err
	}
	for _, id := range o.dismiss.IDs {
		if !result.HasID(id) {
			return app.UsageError("Take one in brackets from aurora review. With --staged, --patch or a branch, give it here, too. Secrets have none.", "no finding of this change has the id '%.40s'", id)
		}
	}
	return nil
}

// maxPatch is a little more than the operation takes, so that it refuses what is too large.
const maxPatch = 17 << 20

func (o *reviewOptions) readPatch(stdin io.Reader) error {
	if o.patch == "" {
		return nil
	}
	if o.patch != "-" {
		file, err := os.Open(o.patch)
		if err != nil {
			return app.Failure("Give the path of a unified diff.", err)
		}
		defer file.Close()
		stdin = file
	}
	text, err := io.ReadAll(io.LimitReader(stdin, maxPatch))
	if err != nil {
		return fmt.Errorf("read the patch: %w", err)
	}
	if strings.TrimSpace(string(text)) == "" {
		return app.UsageError("Pipe a unified diff into it.", "the patch is empty")
	}
	o.params.Patch = string(text)
	return nil
}

// shownPlaces are the places of a finding that are printed without -v.
const shownPlaces = 6

func printReview(c *app.App, o *reviewOptions, r *api.ReviewResult) error {
	switch {
	case o.sarif:
		return c.PrintJSON(newSARIF(r))
	case c.JSON:
		return c.PrintJSON(r)
	}
	if r.Summary != nil {
		for _, s := range r.Summary.Sentences {
			fmt.Fprintln(c.Out, r.Cited(s))
		}
		fmt.Fprintln(c.Out)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(c.Out, "%s: %s: %s [%s]\n    %s\n", c.Bold(f.Place()), f.Severity, f.Message, strings.TrimSpace(f.Rule+" "+f.ID), f.Evidence)
		limit := shownPlaces
		if c.Verbose > 0 {
			limit = len(f.Related)
		}
		places := f.Places(limit)
		if len(places) > limit {
			places[limit] += ": -v lists them"
		}
		for _, place := range places {
			fmt.Fprintf(c.Out, "    %s\n", place)
		}
	}
	if len(r.Tests) > 0 {
		fmt.Fprintln(c.Out, c.Bold("Tests of what changed:"))
	}
	for _, t := range r.Tests {
		fmt.Fprintf(c.Out, "    %s\n", t.Command)
	}
	if len(r.Findings) == 0 {
		fmt.Fprintf(c.Out, "Nothing found in %s.\n", display.Count(r.Files, "changed file"))
	}
	c.Notes(r.Notes)
	if len(r.Dismissed) > 0 {
		c.Notes([]string{"found again after: aurora review --related " + strings.Join(r.Dismissed, ",")})
	}
	return nil
}
