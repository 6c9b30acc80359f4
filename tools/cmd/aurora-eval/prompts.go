package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

func (p *program) promptsCommand() *cobra.Command {
	f := &evalFlags{}
	cmd := &cobra.Command{
		Use:   "prompts --questions <file>",
		Short: "Measure whether a model is shown the definitions that answer a question",
		Long: `Ask questions about code in mode direct, with a model that follows a fixed policy, and print the share of the
definitions answering them that stood whole in what the model was shown: in the first prompt, and after its tool calls.
Of a definition of more than 80 lines these count.

A file of questions has JSON lines with id, repo, question and needs, a list of path, name, first and last line.
repos.json beside it pins each repository to a commit.`,
		Example: `  aurora-eval prompts --questions testdata/prompts/questions.jsonl --repos ~/checkouts`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.evalPrompts(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.queries, "questions", nil, "the file of questions")
	flags.StringVar(&f.repos, "repos", "", "folder that holds the repositories by name (default: the project)")
	return cmd
}

func (p *program) evalPrompts(ctx context.Context, f *evalFlags) error {
	if len(f.queries) != 1 {
		return usage("prompts needs --questions, such as: --questions testdata/prompts/questions.jsonl")
	}
	questions, pins, err := eval.LoadCodeQuestions(f.queries[0])
	if err != nil {
		return err
	}
	o, err := p.evalOptions(f)
	if err != nil {
		return err
	}
	run, err := eval.Prompts(ctx, questions, pins, o)
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(run)
	}
	for _, why := range run.Missing {
		p.warn("not asked: " + why)
	}
	return p.printPrompts(run)
}

// printPrompts prints a line for each repository, and one for all.
func (p *program) printPrompts(run *eval.PromptRun) error {
	groups := map[string][]eval.Prompted{}
	var order []string
	for _, q := range run.Prompted {
		if groups[q.Repo] == nil {
			order = append(order, q.Repo)
		}
		groups[q.Repo] = append(groups[q.Repo], q)
	}
	for _, repo := range order {
		p.printPrompted(repo, groups[repo])
	}
	p.printPrompted("all", run.Prompted)
	return nil
}

func (p *program) printPrompted(name string, list []eval.Prompted) {
	var first, ever eval.Accuracy
	var tokens []int
	calls := 0
	for _, q := range list {
		count(&first, q.First)
		count(&ever, q.Ever)
		tokens = append(tokens, q.Tokens)
		calls += q.Calls
	}
	slices.Sort(tokens)
	median := 0
	if len(tokens) > 0 {
		median = tokens[len(tokens)/2]
	}
	fmt.Fprintf(p.out, "%-10s %3d questions  first prompt %v  in the end %v  median %d tokens  %d calls\n", name, len(list), first, ever, median, calls)
}

func count(a *eval.Accuracy, shown []bool) {
	for _, s := range shown {
		a.Asked++
		if s {
			a.Right++
		}
	}
}
