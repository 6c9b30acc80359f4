package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

func (p *program) answersCommand() *cobra.Command {
	f := &evalFlags{}
	cmd := &cobra.Command{
		Use:   "answers --questions <file>...",
		Short: "Grade answers without a model on questions with known answers",
		Long: `Ask questions whose answers are known, without a model, and print the share of right answers by kind. Each
repository is indexed in memory; nothing is kept.

A file of questions has JSON lines with id, repo, kind, question, and what a right answer must be: first, words of its
first paragraph; has and lacks, words of all of it; cites, the sources as path or path:Name; or abstains. repos.json
beside it pins each repository to a commit. A repository that is not there, or at another commit, is left out, and the
command says how to get it.`,
		Example: `  aurora-eval answers --questions testdata/answers/gin.jsonl --repos ~/checkouts
  aurora-eval answers --questions testdata/answers/fixture.jsonl --repos testdata
  aurora-eval answers --questions set.jsonl --repos ~/checkouts --save before.json
  aurora-eval answers --questions set.jsonl --repos ~/checkouts --diff before.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.evalAnswers(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.queries, "questions", nil, "a file of questions; may be given several times")
	flags.StringVar(&f.repos, "repos", "", "folder that holds the repositories by name (default: the project)")
	flags.StringVar(&f.save, "save", "", "write the run to this file")
	flags.StringVar(&f.diff, "diff", "", "compare with a run that was saved")
	return cmd
}

func (p *program) evalAnswers(ctx context.Context, f *evalFlags) error {
	if len(f.queries) == 0 {
		return usage("answers needs --questions, such as: --questions testdata/answers/gin.jsonl")
	}
	questions, pins, err := eval.LoadQuestions(f.queries...)
	if err != nil {
		return hint(err, `Each line must be JSON such as {"id": "1", "repo": "x", "kind": "callers", "question": "who calls F?", "has": ["G"]}.`)
	}
	before, err := openAnswerRun(f.diff)
	if err != nil {
		return err
	}
	o, err := p.evalOptions(f)
	if err != nil {
		return err
	}
	run, err := eval.Answers(ctx, questions, pins, o)
	if err != nil {
		return err
	}
	if f.save != "" {
		if err := run.Save(f.save); err != nil {
			return hint(err, "Name a file in a folder that exists and can be written.")
		}
	}
	return p.printAnswerRun(run, before)
}

// openAnswerRun reads the run to compare with; "" is none.
func openAnswerRun(path string) (*eval.AnswerRun, error) {
	if path == "" {
		return nil, nil
	}
	run, err := eval.OpenAnswers(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, hint(err, "Make one with --save.")
	}
	if err != nil {
		return nil, hint(err, "Make it again with --save.")
	}
	return run, nil
}

// An answersResult is what "answers --json" prints.
type answersResult struct {
	All     eval.Accuracy            `json:"all"`
	Kinds   map[string]eval.Accuracy `json:"by_kind"`
	Repos   map[string]eval.Accuracy `json:"by_repository"`
	Stated  eval.Accuracy            `json:"stated"` // those given as answers, not as best matches
	ECE     float64                  `json:"ece"`    // of them: expected calibration error, 0..1
	Latency eval.Latency             `json:"latency_ms"`
	Wrong   []eval.Graded            `json:"wrong"`
	Missing []string                 `json:"missing,omitempty"`
	Diff    *eval.AnswerDiff         `json:"diff,omitempty"`
}

func newAnswersResult(run, before *eval.AnswerRun) answersResult {
	kinds := run.Accuracy(func(g *eval.Graded) string { return g.Kind })
	repos := run.Accuracy(func(g *eval.Graded) string { return g.Repo })
	r := answersResult{All: kinds[""], Kinds: kinds, Repos: repos, Latency: run.Latency(), Missing: run.Missing}
	if r.Stated, r.ECE = run.Stated(); r.Stated.Asked == 0 {
		r.ECE = 0
	}
	delete(kinds, "")
	delete(repos, "")
	for _, g := range run.Graded {
		if !g.Right() {
			r.Wrong = append(r.Wrong, g)
		}
	}
	if before != nil {
		diff := eval.CompareAnswers(before, run)
		r.Diff = &diff
	}
	return r
}

func (p *program) printAnswerRun(run, before *eval.AnswerRun) error {
	r := newAnswersResult(run, before)
	if p.json {
		return p.printJSON(r)
	}
	for _, why := range r.Missing {
		p.warn("not asked: " + why)
	}
	if len(run.Graded) == 0 {
		return errNothing
	}
	t := table{{"Questions", "Right", "Asked", "Accuracy"}}
	row := func(label string, a eval.Accuracy) {
		t.add(label, fmt.Sprint(a.Right), fmt.Sprint(a.Asked), fmt.Sprintf("%.2f", a.Share()))
	}
	row("all", r.All)
	for _, kind := range slices.Sorted(maps.Keys(r.Kinds)) {
		row("kind "+kind, r.Kinds[kind])
	}
	for _, repo := range slices.Sorted(maps.Keys(r.Repos)) {
		row("repository "+repo, r.Repos[repo])
	}
	p.printTable(t)
	fmt.Fprintf(p.out, "\nStated as answers: %s, expected calibration error %.2f\n", r.Stated, r.ECE)
	fmt.Fprintf(p.out, "Latency: p50 %.1f ms, p95 %.1f ms\n", r.Latency.P50, r.Latency.P95)
	p.printGraded("Wrong", "-", r.Wrong, p.verbose)
	if r.Diff != nil {
		fmt.Fprintf(p.out, "\nAgainst the saved run: %s before, %s now\n", r.Diff.Before, r.Diff.After)
		p.printGraded("Right now", "+", r.Diff.Better, false)
		p.printGraded("Wrong now", "-", r.Diff.Worse, false)
	}
	return nil
}

// printGraded lists answers with what is wrong with them and, with whole, their text.
func (p *program) printGraded(title, sign string, list []eval.Graded, whole bool) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(p.out, "\n%s:\n", title)
	for _, g := range list {
		fmt.Fprintf(p.out, "  %s %s  %s\n", sign, g.ID, cut(g.Question, 80))
		for _, fault := range g.Faults {
			fmt.Fprintf(p.out, "      %s\n", fault)
		}
		if whole {
			fmt.Fprintf(p.out, "%s\n\n", g.Answer)
		}
	}
}
