package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

func (p *program) claimsCommand() *cobra.Command {
	f := &evalFlags{}
	each := 0
	cmd := &cobra.Command{
		Use:   "claims <repository>...",
		Short: "Measure how many false answers and bad plans code alone finds",
		Long: `Make true answers about functions of repositories in Go and Python, by the parsers of these languages, and false ones of
them: another callee, an invented line or name, a changed condition, text that is not there, a call turned around or denied. A model
that looks up what they cite then gives each answer, and the checks that need no model judge it; so they do with plans. It
prints how many false ones were found and how many true ones were flagged.`,
		Example: `  aurora-eval claims chi requests --repos ~/checkouts`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.evalClaims(cmd.Context(), f, args, each)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.repos, "repos", "", "folder that holds the repositories by name (default: the project)")
	flags.IntVar(&each, "each", 25, "functions of each repository")
	return cmd
}

func (p *program) evalClaims(ctx context.Context, f *evalFlags, names []string, each int) error {
	o, err := p.evalOptions(f)
	if err != nil {
		return err
	}
	run, err := eval.Claims(ctx, names, each, o)
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(run)
	}
	p.printClaims(run)
	return nil
}

// printClaims prints a line for each kind of mistake, and the sums.
func (p *program) printClaims(run *eval.ClaimRun) {
	caught := map[string]*eval.Accuracy{}
	var order []string
	var bad, good eval.Accuracy
	for _, j := range run.Judged {
		if caught[j.Kind] == nil {
			caught[j.Kind] = &eval.Accuracy{}
			order = append(order, j.Kind)
		}
		sum := &good
		if j.Bad {
			sum = &bad
		}
		count(caught[j.Kind], []bool{j.Flagged})
		count(sum, []bool{j.Flagged})
		if p.verbose && j.Flagged != j.Bad {
			fmt.Fprintf(p.out, "%s %s [%s] %s\n%s\n", j.Repo, j.About, j.Kind, j.Why, j.Text)
		}
	}
	slices.Sort(order)
	for _, kind := range order {
		if kind != "" && kind != "plan" {
			fmt.Fprintf(p.out, "%-24s caught %v\n", kind, caught[kind])
		}
	}
	fmt.Fprintf(p.out, "%-24s caught %v\n%-24s flagged %v\n", "all false ones", bad, "true ones", good)
	if run.NotShown > 0 {
		fmt.Fprintf(p.out, "%d answers were left out: the model was not shown all that they cite\n", run.NotShown)
	}
}
