package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

// evalFlags say what search, answers and context measure.
type evalFlags struct {
	queries []string
	repos   string
	save    string
	diff    string

	reference bool
}

func (p *program) searchCommand() *cobra.Command {
	f := &evalFlags{}
	cmd := &cobra.Command{
		Use:   "search --queries <file>...",
		Short: "Score query sets against the search",
		Long: `Score query sets against the search: how near the top the known answers come, how much of them fits into a
budget of tokens, and how long a search takes. Each repository is indexed in memory; nothing is kept.

A query set is a file of JSON lines with id, query, category, language, repo and relevant, a list of {path, name,
start_line, end_line}; a query without relevant places expects no hit at all.`,
		Example: `  aurora-eval search --queries testdata/ranking/queries.jsonl
  aurora-eval search --queries set.jsonl --repos ~/checkouts --save before.json
  aurora-eval search --queries set.jsonl --repos ~/checkouts --diff before.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.evalSearch(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.queries, "queries", nil, "a query set; may be given several times")
	flags.StringVar(&f.repos, "repos", "", "folder that holds the repositories by name (default: the project)")
	flags.StringVar(&f.save, "save", "", "write the run to this file")
	flags.StringVar(&f.diff, "diff", "", "compare with a run that was saved")
	flags.BoolVar(&f.reference, "reference", false, "ask SQLite's FTS5 over the same chunks, too")
	return cmd
}

func (p *program) evalSearch(ctx context.Context, f *evalFlags) error {
	if len(f.queries) == 0 {
		return usage("search needs --queries, such as: --queries testdata/ranking/queries.jsonl")
	}
	queries, err := eval.Load(f.queries...)
	if err != nil {
		return err
	}
	before, err := openRun(f.diff)
	if err != nil {
		return err
	}
	o, err := p.evalOptions(f)
	if err != nil {
		return err
	}
	o.Reference = f.reference
	run, err := eval.Search(ctx, queries, o)
	if err != nil {
		return err
	}
	if f.save != "" {
		if err := run.Save(f.save); err != nil {
			return hint(err, "Name a file in a folder that exists and can be written.")
		}
	}
	return p.printEval(run, before)
}

// openRun reads the run to compare with; "" is none.
func openRun(path string) (*eval.Run, error) {
	if path == "" {
		return nil, nil
	}
	run, err := eval.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, hint(err, "Make one with --save.")
	}
	if err != nil {
		return nil, hint(err, "Make it again with --save.")
	}
	return run, nil
}

// evalOptions take the settings of the project, so that they can be measured, too.
func (p *program) evalOptions(f *evalFlags) (eval.Options, error) {
	settings, err := p.settings()
	if err != nil {
		return eval.Options{}, err
	}
	model, err := setup.BuiltInModel(settings)
	if err != nil {
		return eval.Options{}, err
	}
	o := eval.Options{Repos: cmp.Or(f.repos, p.project), Embedder: model, Leave: ownFiles(f), Providers: setup.Providers(settings)}
	o.Progress = func(repo string, done, total int) {
		if p.verbose {
			fmt.Fprintf(p.err, "%d of %d queries; now %s\n", done, total, repo)
		}
	}
	return o, nil
}

// ownFiles are the folders of the query sets and the runs, which would answer every query if they were searched.
func ownFiles(f *evalFlags) []string {
	var paths []string
	add := func(path string) {
		if abs, err := filepath.Abs(path); err == nil && path != "" {
			paths = append(paths, abs)
		}
	}
	for _, set := range f.queries {
		add(filepath.Dir(set))
		add(set)
	}
	add(f.save)
	add(f.diff)
	return paths
}
