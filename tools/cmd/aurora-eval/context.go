package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

func (p *program) contextCommand() *cobra.Command {
	f := &evalFlags{}
	like := engine.ContextRequest{BudgetTokens: eval.ContextBudget}
	diversity := -1.0
	cmd := &cobra.Command{
		Use:   "context --queries <file>...",
		Short: "Measure how much of the known answers an assembled context shows",
		Long: `Assemble a context for every query of the sets, as "aurora context" does, and measure the share of the known
answers of which it shows something: a definition or lines of the file, or the lines asked for. All tokens count, headers
and frame included. The column Blocks leaves out what is shown as single lines; Whole is the share of the definitions and
lines asked for of which at least half of the lines are shown.`,
		Example: `  aurora-eval context --queries testdata/ranking/project.jsonl
  aurora-eval context --queries set.jsonl --repos ~/checkouts --budget 4000 --save contexts.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if diversity >= 0 {
				like.Diversity = &diversity
			}
			return p.evalContext(cmd.Context(), f, like)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.queries, "queries", nil, "a query set; may be given several times")
	flags.StringVar(&f.repos, "repos", "", "folder that holds the repositories by name (default: the project)")
	flags.IntVar(&like.BudgetTokens, "budget", like.BudgetTokens, "tokens of each context")
	flags.Float64Var(&diversity, "diversity", diversity, "0 to 1, as of \"aurora context\" (default: that of the settings)")
	flags.StringVar(&f.save, "save", "", "write the run to this file")
	return cmd
}

func (p *program) evalContext(ctx context.Context, f *evalFlags, like engine.ContextRequest) error {
	if len(f.queries) == 0 {
		return usage("context needs --queries, such as: --queries testdata/ranking/queries.jsonl")
	}
	if like.BudgetTokens < 1 {
		return usage("--budget must be at least 1 (got %d)", like.BudgetTokens)
	}
	queries, err := eval.Load(f.queries...)
	if err != nil {
		return err
	}
	o, err := p.evalOptions(f)
	if err != nil {
		return err
	}
	run, err := eval.Contexts(ctx, queries, like, o)
	if err != nil {
		return err
	}
	if f.save != "" {
		text, err := json.MarshalIndent(run, "", " ")
		if err == nil {
			err = os.WriteFile(f.save, append(text, '\n'), 0o644)
		}
		if err != nil {
			return hint(fmt.Errorf("save run: %w", err), "Name a file in a folder that exists and can be written.")
		}
	}
	return p.printContexts(run)
}

func (p *program) printContexts(run *eval.ContextRun) error {
	r := run.Report()
	if p.json {
		return p.printJSON(r)
	}
	t := table{{"Contexts", "n", "Recall", "Blocks", "Whole", "Tokens", "Most"}}
	add := func(label string, g eval.ContextGroup) {
		t.add(label, fmt.Sprint(g.Queries), fmt.Sprintf("%.3f", g.Recall), fmt.Sprintf("%.3f", g.Opened), fmt.Sprintf("%.3f", g.Whole), fmt.Sprintf("%.0f", g.Tokens), fmt.Sprint(g.MaxTokens))
	}
	add("all", r.All)
	for _, groups := range []struct {
		label string
		of    map[string]eval.ContextGroup
	}{{"category ", r.Categories}, {"language ", r.Languages}} {
		for _, name := range slices.Sorted(maps.Keys(groups.of)) {
			add(groups.label+name, groups.of[name])
		}
	}
	p.printTable(t)
	fmt.Fprintf(p.out, "\nRecall within %d tokens, mean over repositories: %.3f\n", r.Budget, r.ByRepo)
	fmt.Fprintf(p.out, "Latency: p50 %.1f ms, p95 %.1f ms\n", r.Latency.P50, r.Latency.P95)
	for _, repo := range run.Missing {
		p.warn("not measured, because it is missing: " + repo)
	}
	if len(run.Answers) == 0 {
		return errNothing
	}
	return nil
}
