package measure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/eval"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/spf13/cobra"
)

func evalAnswersCommand(c *app.App) *cobra.Command {
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
		Example: `  aurora eval answers --questions testdata/answers/gin.jsonl --repos ~/checkouts
  aurora eval answers --questions testdata/answers/fixture.jsonl --repos testdata
  aurora eval answers --questions set.jsonl --repos ~/checkouts --save before.json
  aurora eval answers --questions set.jsonl --repos ~/checkouts --diff before.json`,
		Args: app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return evalAnswers(cmd.Context(), c, f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.queries, "questions", nil, "a file of questions; may be given several times")
	flags.StringVar(&f.repos, "repos", "", "folder that holds the repositories by name (default: the project)")
	flags.StringVar(&f.save, "save", "", "write the run to this file")
	flags.StringVar(&f.diff, "diff", "", "compare with a run that was saved")
	return cmd
}

func evalAnswers(ctx context.Context, c *app.App, f *evalFlags) error {
	if len(f.queries) == 0 {
		return app.UsageError("Name a file, such as: --questions testdata/answers/gin.jsonl", "aurora eval answers needs --questions")
	}
	questions, pins, err := eval.LoadQuestions(f.queries...)
	if err != nil {
		return app.Failure(`Each line must be JSON such as {"id": "1", "repo": "x", "kind": "callers", "question": "who calls F?", "has": ["G"]}.`, err)
	}
	before, err := openAnswerRun(f.diff)
	if err != nil {
		return err
	}
	o, err := evalOptions(c, f)
	if err != nil {
		return err
	}
	run, err := eval.Answers(ctx, questions, pins, o)
	if err != nil {
		return err
	}
	if f.save != "" {
		if err := run.Save(f.save); err != nil {
			return app.Failure("Name a file in a folder that exists and can be written.", err)
		}
	}
	return printAnswerRun(c, run, before)
}

// openAnswerRun reads the run to compare with; "" is none.
func openAnswerRun(path string) (*eval.AnswerRun, error) {
	if path == "" {
		return nil, nil
	}
	run, err := eval.OpenAnswers(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, app.Failure("Make one with --save.", err)
	}
	if err != nil {
		return nil, app.Failure("Make it again with --save.", err)
	}
	return run, nil
}

// An answersResult is what "eval answers --json" prints.
type answersResult struct {
	All     eval.Accuracy            `json:"all"`
	Kinds   map[string]eval.Accuracy `json:"by_kind"`
	Repos   map[string]eval.Accuracy `json:"by_repository"`
	Latency eval.Latency             `json:"latency_ms"`
	Wrong   []eval.Graded            `json:"wrong"`
	Missing []string                 `json:"missing,omitempty"`
	Diff    *eval.AnswerDiff         `json:"diff,omitempty"`
}

func newAnswersResult(run, before *eval.AnswerRun) answersResult {
	kinds := run.Accuracy(func(g *eval.Graded) string { return g.Kind })
	repos := run.Accuracy(func(g *eval.Graded) string { return g.Repo })
	r := answersResult{All: kinds[""], Kinds: kinds, Repos: repos, Latency: run.Latency(), Missing: run.Missing}
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

func printAnswerRun(c *app.App, run, before *eval.AnswerRun) error {
	r := newAnswersResult(run, before)
	if c.JSON {
		return c.PrintJSON(r)
	}
	for _, why := range r.Missing {
		c.Warn("not asked: " + display.Clean(why))
	}
	if len(run.Graded) == 0 {
		return app.ErrNothing
	}
	t := display.Table{Columns: []display.Column{{Title: "Questions", Left: true, Min: 10, Keep: 9}, {Title: "Right", Keep: 8}, {Title: "Asked", Keep: 8}, {Title: "Accuracy", Keep: 9}}}
	row := func(label string, a eval.Accuracy) {
		t.Rows = append(t.Rows, []string{label, fmt.Sprint(a.Right), fmt.Sprint(a.Asked), fmt.Sprintf("%.2f", a.Share())})
	}
	row("all", r.All)
	for _, kind := range slices.Sorted(maps.Keys(r.Kinds)) {
		row("kind "+display.Clean(kind), r.Kinds[kind])
	}
	for _, repo := range slices.Sorted(maps.Keys(r.Repos)) {
		row("repository "+display.Clean(repo), r.Repos[repo])
	}
	c.PrintTable(t)
	fmt.Fprintf(c.Out, "\nLatency: p50 %.1f ms, p95 %.1f ms\n", r.Latency.P50, r.Latency.P95)
	printGraded(c, "Wrong", "-", r.Wrong, c.Verbose > 0)
	if r.Diff != nil {
		fmt.Fprintf(c.Out, "\nAgainst the saved run: %s before, %s now\n", r.Diff.Before, r.Diff.After)
		printGraded(c, "Right now", "+", r.Diff.Better, false)
		printGraded(c, "Wrong now", "-", r.Diff.Worse, false)
	}
	return nil
}

// printGraded lists answers with what is wrong with them and, with whole, their text.
func printGraded(c *app.App, title, sign string, list []eval.Graded, whole bool) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(c.Out, "\n%s:\n", title)
	for _, g := range list {
		fmt.Fprintf(c.Out, "  %s %s  %s\n", sign, display.Clean(g.ID), display.Cut(display.Clean(g.Question), 80))
		for _, fault := range g.Faults {
			fmt.Fprintf(c.Out, "      %s\n", display.Clean(fault))
		}
		if whole {
			fmt.Fprintf(c.Out, "%s\n\n", display.CleanLines(g.Answer))
		}
	}
}
