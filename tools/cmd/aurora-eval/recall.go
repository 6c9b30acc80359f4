package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

func (p *program) recallCommand() *cobra.Command {
	var questions, repos, vectors string
	var records int
	cmd := &cobra.Command{
		Use:   "recall --questions <file> --repos <folder>",
		Short: "Measure whether memory finds decisions by other words than they have",
		Long: `Remember the messages of the latest commits that say why, and ask for single ones of them in other words. The file has a
line for each question: repository, commit and question, separated by tabs. Each repository is a folder with git's data.
It is asked in one memory of all repositories, and in a memory for each of them, where questions about the others count as
what should find nothing.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.measureRecall(cmd.Context(), questions, eval.RecallOptions{Repos: repos, PerRepo: records, Vectors: vectors})
		},
	}
	cmd.Flags().StringVar(&questions, "questions", "", "file of questions")
	cmd.Flags().StringVar(&repos, "repos", ".", "folder of the repositories")
	cmd.Flags().IntVar(&records, "records", 400, "most records of a repository")
	cmd.Flags().StringVar(&vectors, "vectors", "", "file that keeps the vectors of records, so that the next time takes seconds")
	return cmd
}

func (p *program) measureRecall(ctx context.Context, file string, o eval.RecallOptions) error {
	if file == "" {
		return usage("recall needs --questions")
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	if o.Questions, err = eval.ReadRecallQuestions(f); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	for _, q := range o.Questions {
		if !slices.Contains(o.Names, q.Repo) {
			o.Names = append(o.Names, q.Repo)
		}
	}
	if len(o.Names) == 0 {
		return errNothing
	}
	together, alone, err := eval.RunRecall(ctx, o)
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(map[string]*eval.RecallReport{"together": together, "alone": alone})
	}
	for _, r := range []struct {
		name string
		*eval.RecallReport
	}{{"together", together}, {"each alone", alone}} {
		fmt.Fprintf(p.out, "%-10s  %5d records  %4d questions  hit@1 %.3f  hit@3 %.3f  hit@10 %.3f  withheld %.3f  intruded %.3f  p95 %.1f ms\n",
			r.name, r.Records, r.Questions, r.First, r.Three, r.Ten, r.Withheld, r.Intruded, r.P95Ms)
	}
	return nil
}
