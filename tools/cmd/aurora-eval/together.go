package main

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

func (p *program) togetherCommand() *cobra.Command {
	o := eval.TogetherOptions{}
	cmd := &cobra.Command{
		Use:   "together <work tree>...",
		Short: "Measure by git history how often what a hover says to change together then does",
		Long: `Take random definitions, name what usually changes with their files by the commits before a cut, as a hover does, and count in
how many of the next commits of these files the named ones changed.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return p.evalTogether(cmd.Context(), args, o) },
	}
	flags := cmd.Flags()
	flags.IntVar(&o.Definitions, "definitions", 200, "definitions of each repository")
	flags.IntVar(&o.After, "after", 1000, "newest commits, which are behind the cut")
	flags.IntVar(&o.Asked, "asked", 200, "most commits of a file that are asked behind the cut")
	flags.Uint64Var(&o.Seed, "seed", 1, "which definitions")
	return cmd
}

func (p *program) evalTogether(ctx context.Context, dirs []string, o eval.TogetherOptions) error {
	all := eval.TogetherReport{}
	for _, dir := range dirs {
		o.Dir = dir
		r, err := eval.ForetellTogether(ctx, o)
		if err != nil {
			return err
		}
		all.Definitions, all.Shown, all.Named = all.Definitions+r.Definitions, all.Shown+r.Shown, all.Named+r.Named
		all.Kept, all.Asked, all.Changed = all.Kept+r.Kept, all.Asked+r.Asked, all.Changed+r.Changed
		p.printTogether(dir, r)
	}
	p.printTogether("all", &all)
	return nil
}

func (p *program) printTogether(name string, r *eval.TogetherReport) {
	fmt.Fprintf(p.out, "%s: shown for %d of %d definitions (%s); named files changed in %d of %d later commits (%s); in at least half of them: %d of %d (%s)\n",
		name, r.Shown, r.Definitions, percent(r.Shown, r.Definitions), r.Changed, r.Asked, percent(r.Changed, r.Asked),
		r.Kept, r.Named, percent(r.Kept, r.Named))
}
