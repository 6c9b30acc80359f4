package main

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

func (p *program) callersCommand() *cobra.Command {
	o := eval.CallerOptions{}
	cmd := &cobra.Command{
		Use:   "callers <repository>...",
		Short: "Measure by git history how often a review is right about callers",
		Long: `Review the newest commits that changed the head of a function: as they are, where each finding about a caller counts as wrong,
and with one file that calls it as it was before, which the review should name.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return p.evalCallers(cmd.Context(), args, o) },
	}
	cmd.Flags().IntVar(&o.Commits, "commits", 100, "commits of each repository")
	cmd.Flags().BoolVar(&o.Removed, "removed", false, "score findings about removed definitions that are still used, in commits that remove one")
	cmd.Flags().StringVar(&o.Program, "program", "aurora", "the program whose reviews are scored")
	return cmd
}

func (p *program) evalCallers(ctx context.Context, dirs []string, o eval.CallerOptions) error {
	all := &eval.CallerReport{Other: map[string]int{}}
	for _, dir := range dirs {
		o.Dir = dir
		r, err := eval.ReplayCallers(ctx, o)
		if err != nil {
			return err
		}
		all.Add(r)
		if p.verbose {
			p.printCallers(dir, r)
		}
	}
	if p.json {
		return p.printJSON(all)
	}
	p.printCallers("all", all)
	return nil
}

func (p *program) printCallers(name string, r *eval.CallerReport) {
	fmt.Fprintf(p.out, "%s: %d commits, %d change the head of a function or remove a definition: %d findings; a caller left out of %d: named in %s, other files %d; of findings right %s; other rules %v\n",
		name, r.Commits, r.Changed, r.Complete, r.LeftOut, percent(r.Named, r.LeftOut), r.Wrong, percent(r.Named, r.Named+r.Wrong+r.Complete), r.Other)
}
