package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

// nameFlags say which names are drawn.
type nameFlags struct {
	repos   string
	perKind int
	seed    uint64
}

func (p *program) namesCommand() *cobra.Command {
	f := &nameFlags{}
	cmd := &cobra.Command{
		Use:   "names --repos <folder>",
		Short: "Search for names that Universal Ctags draws",
		Long: `Search for names that the repositories in a folder declare once, drawn at random from what Universal Ctags lists of
every language and kind. A hit is right when its range holds the line of the tag; it is the declaration when it has the
name, too.`,
		Example: `  aurora-eval names --repos ~/checkouts --per-kind 40 --seed 1`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.evalNames(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.repos, "repos", "", "folder that holds the repositories")
	flags.IntVar(&f.perKind, "per-kind", 40, "most names of a language and kind")
	flags.Uint64Var(&f.seed, "seed", 1, "which names are drawn")
	return cmd
}

func (p *program) evalNames(ctx context.Context, f *nameFlags) error {
	folders, err := foldersIn(f.repos)
	if err != nil {
		return err
	}
	o, err := p.evalOptions(&evalFlags{repos: f.repos})
	if err != nil {
		return err
	}
	results, err := eval.Names(ctx, folders, f.perKind, f.seed, o)
	if err != nil {
		return hint(err, "Install Universal Ctags.")
	}
	if len(results) == 0 {
		return errNothing
	}
	if p.json {
		return p.printJSON(results)
	}
	p.printNames(results)
	return nil
}

// foldersIn are the folders in the one that holds the repositories.
func foldersIn(repos string) ([]string, error) {
	entries, err := os.ReadDir(repos)
	if err != nil {
		return nil, hint(err, "Name the folder that holds the repositories with --repos.")
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() {
			dir, err := filepath.Abs(filepath.Join(repos, e.Name()))
			if err != nil {
				return nil, err
			}
			folders = append(folders, dir)
		}
	}
	return folders, nil
}

// printNames prints a line for each language and kind, one for each language, and one for all.
func (p *program) printNames(results []eval.NameResult) {
	var t table
	t.add("language", "kind", "names", "rank 1", "top 5", "declaration", "rank 1 or a namesake")
	row := func(language, kind string, list []eval.NameResult) {
		count := func(fits func(eval.NameResult) bool) string {
			n := 0
			for _, r := range list {
				if fits(r) {
					n++
				}
			}
			return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(len(list)))
		}
		t.add(language, kind, fmt.Sprint(len(list)), count(func(r eval.NameResult) bool { return r.Rank == 1 }),
			count(func(r eval.NameResult) bool { return r.Rank >= 1 && r.Rank <= 5 }), count(func(r eval.NameResult) bool { return r.Declared }),
			count(func(r eval.NameResult) bool { return r.Rank == 1 || r.Namesake }))
	}
	groups := groupBy(results, func(r eval.NameResult) string { return r.Language })
	for _, language := range slices.Sorted(maps.Keys(groups)) {
		kinds := groupBy(groups[language], func(r eval.NameResult) string { return r.Kind })
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			row(language, kind, kinds[kind])
		}
		row(language, "all", groups[language])
	}
	row("all", "all", results)
	p.printTable(t)
	if p.verbose {
		for _, r := range results {
			if !r.Declared {
				fmt.Fprintf(p.out, "%s %s %s: %s/%s:%d at rank %d; first: %s\n", r.Language, r.Kind, r.Name.Name, filepath.Base(r.Repo), r.Path, r.Line, r.Rank, r.First)
			}
		}
	}
}

func groupBy[T any](list []T, key func(T) string) map[string][]T {
	groups := map[string][]T{}
	for _, e := range list {
		groups[key(e)] = append(groups[key(e)], e)
	}
	return groups
}
