package main

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/index/git"
	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

func (p *program) reviewCommand() *cobra.Command {
	o := eval.CompanionOptions{}
	cmd := &cobra.Command{
		Use:   "review <work tree>...",
		Short: "Measure by git history how often a review names a file that is missing",
		Long: `Replay the newest commits of two to twenty files: leave one file out of each and ask the commits before it, as aurora review
does, which files usually change with the others. Precision is the share of named files that were the one left out; complete
counts what is named for the same commits when nothing is left out.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return p.evalReview(cmd.Context(), args, o) },
	}
	flags := cmd.Flags()
	flags.IntVar(&o.Commits, "commits", 150, "commits of each repository")
	flags.IntVar(&o.Support, "support", git.CompanionSupport, "least number of common commits")
	flags.Float64Var(&o.Confidence, "confidence", git.CompanionConfidence, "least confidence")
	return cmd
}

func (p *program) evalReview(ctx context.Context, dirs []string, o eval.CompanionOptions) error {
	all := eval.CompanionReport{}
	for _, dir := range dirs {
		o.Dir = dir
		r, err := eval.ReplayCompanions(ctx, o)
		if err != nil {
			return err
		}
		all.Commits, all.Spoken, all.Named = all.Commits+r.Commits, all.Spoken+r.Spoken, all.Named+r.Named
		all.Hits, all.Complete = all.Hits+r.Hits, all.Complete+r.Complete
		if p.verbose {
			p.printCompanions(dir, r)
		}
	}
	if p.json {
		return p.printJSON(all)
	}
	p.printCompanions("all", &all)
	return nil
}

func (p *program) printCompanions(name string, r *eval.CompanionReport) {
	fmt.Fprintf(p.out, "%s: %d commits, left-out file named in %s, precision %s (%d of %d); named for complete commits: %d\n",
		name, r.Commits, percent(r.Hits, r.Commits), percent(r.Hits, r.Named), r.Hits, r.Named, r.Complete)
}
