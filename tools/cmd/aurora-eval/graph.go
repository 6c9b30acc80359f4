package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/tools/eval/reference"
	"github.com/spf13/cobra"
)

func (p *program) graphCommand() *cobra.Command {
	o := &reference.Options{}
	cmd := &cobra.Command{
		Use:   "graph --family <language> <checkout>...",
		Short: "Compare callers with those that a compiler or language server knows",
		Long: `Compare callers with those that a tool knows which understands types: gopls for Go, the TypeScript compiler for
TypeScript and JavaScript, pyright for Python, clangd for C and C++, intelephense for PHP, jdtls for Java, rust-analyzer for Rust. Functions are taken at
random, by the seed. Nothing is installed: what is missing is said.`,
		Example: `  aurora-eval graph --family go ~/checkouts/cobra
  aurora-eval graph --family javascript --tools ~/.cache/aurora-eval-tools --verbose ~/checkouts/core`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return p.evalGraph(cmd.Context(), *o, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Family, "family", "", "languages that are measured: "+strings.Join(reference.Families, ", "))
	flags.IntVar(&o.Count, "count", 200, "functions of each checkout")
	flags.Uint64Var(&o.Seed, "seed", 1, "chooses the functions")
	flags.StringVar(&o.Tools, "tools", filepath.Join(os.Getenv("HOME"), ".cache", "aurora-eval-tools"), "folder in which npm installed the tools")
	flags.StringVar(&o.Keep, "keep", "", "keep the answers of the tools in this folder and ask no question twice")
	flags.BoolVar(&o.Handed, "handed", false, "compare the places that hand functions over as values instead of callers")
	flags.BoolVar(&o.Symbols, "symbols", false, "compare the places that use constants, variables, fields and types instead of callers")
	cmd.MarkFlagsMutuallyExclusive("handed", "symbols")
	_ = cmd.MarkFlagRequired("family")
	return cmd
}

func (p *program) evalGraph(ctx context.Context, o reference.Options, checkouts []string) error {
	var results []*reference.Result
	for _, dir := range checkouts {
		o.Root = dir
		r, err := reference.Measure(ctx, o)
		var missing *reference.MissingError
		if errors.As(err, &missing) {
			p.warn("not measured: " + missing.Error())
			return errNothing
		}
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		results = append(results, r)
	}
	if p.json {
		return p.printJSON(results)
	}
	if o.Handed {
		p.printHanded(results)
	} else {
		p.printGraph(results)
	}
	p.printMistakes(results)
	return nil
}

func (p *program) printGraph(results []*reference.Result) {
	t := table{{"repository", "language", "functions", "callers", "recall", "precision", "undecided", "recall >= 0.5", "precision >= 0.5", "right of >= 0.9", "0.7", "0.5", "0.3", "0"}}
	for _, r := range results {
		row := []string{
			r.Repo, r.Family, fmt.Sprint(r.Functions), fmt.Sprint(r.All.Known), ratio(r.All.Recall()), ratio(r.All.Precision()), fmt.Sprint(r.All.Open),
			ratio(r.Likely.Recall()), ratio(r.Likely.Precision()),
		}
		for _, b := range r.Bins {
			row = append(row, fmt.Sprintf("%d/%d", b.Right, b.Given))
		}
		t.add(row...)
	}
	p.printTable(t)
}

func (p *program) printHanded(results []*reference.Result) {
	t := table{{"repository", "language", "functions", "handed over", "recall", "precision"}}
	for _, r := range results {
		t.add(r.Repo, r.Family, fmt.Sprint(r.Functions), fmt.Sprint(r.Handed.Known), ratio(r.Handed.Recall()), ratio(r.Handed.Precision()))
	}
	p.printTable(t)
}

// printMistakes lists what was wrong or missed, when details are asked for.
func (p *program) printMistakes(results []*reference.Result) {
	if !p.verbose {
		return
	}
	for _, r := range results {
		for _, m := range r.Wrong {
			fmt.Fprintf(p.out, "wrong\t%.2f\t%s\t<- %s\t%s\n", m.Confidence, m.Of, m.Caller, m.Why)
		}
		for _, m := range r.Missed {
			fmt.Fprintf(p.out, "missed\t%.2f\t%s\t<- %s:%d\n", m.Confidence, m.Of, m.Caller, m.Line)
		}
	}
}

func ratio(f float64) string { return fmt.Sprintf("%.2f", f) }
