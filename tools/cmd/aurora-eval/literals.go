package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

// literalFlags say what literals measures.
type literalFlags struct {
	repos string
	each  int
	seed  uint64
}

func (p *program) literalsCommand() *cobra.Command {
	f := &literalFlags{}
	cmd := &cobra.Command{
		Use:   "literals --repos <folder> <repository>...",
		Short: "Search for string literals of repositories by their text, as pasted from a log",
		Long: `Search for string literals of repositories by their text, as pasted from a log. Drawn at random are literals of at
least three words that stand in the repository once. The query is the literal without its quotes; for those with format verbs or
interpolations also the literal with random words, numbers and paths in their place. The right hit is the chunk that holds it.`,
		Example: "  aurora-eval literals --repos ~/checkouts flask cobra -v",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, repos []string) error { return p.evalLiterals(cmd.Context(), f, repos) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.repos, "repos", ".", "folder that holds the repositories by name")
	flags.IntVar(&f.each, "each", 40, "most literals of each repository")
	flags.Uint64Var(&f.seed, "seed", 0, "draw with this seed (default: another one each time)")
	return cmd
}

func (p *program) evalLiterals(ctx context.Context, f *literalFlags, repos []string) error {
	o, err := p.evalOptions(&evalFlags{repos: f.repos})
	if err != nil {
		return err
	}
	if f.seed == 0 {
		f.seed = rand.Uint64()
	}
	run, err := eval.Literals(ctx, f.repos, repos, f.each, f.seed, o)
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(run)
	}
	for _, part := range []struct {
		name   string
		figure eval.LiteralFigure
	}{{"as they stand", run.Exact}, {"filled in", run.Filled}} {
		n := float64(max(1, part.figure.Queries)) / 100
		fmt.Fprintf(p.out, "%-14s %4d queries   first %5.1f %%   top 10 %5.1f %%\n", part.name, part.figure.Queries,
			float64(part.figure.First)/n, float64(part.figure.Top10)/n)
		if p.verbose {
			for _, m := range part.figure.Missed {
				fmt.Fprintln(p.out, "  "+m)
			}
		}
	}
	fmt.Fprintf(p.out, "seed %d, CPU of a search: %.1f ms median, %.1f ms 95th percentile\n", f.seed, run.CPU.P50, run.CPU.P95)
	return nil
}
