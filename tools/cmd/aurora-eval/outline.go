package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

// outlineFlags say which files are compared.
type outlineFlags struct {
	repos string
	files int
	seed  uint64
}

func (p *program) outlineCommand() *cobra.Command {
	f := &outlineFlags{}
	cmd := &cobra.Command{
		Use:   "outline --repos <folder>",
		Short: "Compare outlines with what Universal Ctags lists",
		Long: `Compare what AURORA finds in the files of the repositories in a folder with what Universal Ctags lists in them, by
language: the share of the functions, methods and types that ctags lists, the share of all its kinds but imports, and
the share of AURORA's functions, methods and types that ctags lists, too. A name counts on its line.`,
		Example: `  aurora-eval outline --repos ~/checkouts --files 300 --seed 1`,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.evalOutline(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.repos, "repos", "", "folder that holds the repositories")
	flags.IntVar(&f.files, "files", 300, "most files of a language")
	flags.Uint64Var(&f.seed, "seed", 1, "which files are drawn")
	return cmd
}

func (p *program) evalOutline(ctx context.Context, f *outlineFlags) error {
	folders, err := foldersIn(f.repos)
	if err != nil {
		return err
	}
	scores, err := eval.Outlines(ctx, folders, f.files, f.seed)
	if err != nil {
		return hint(err, "Install Universal Ctags.")
	}
	if len(scores) == 0 {
		return errNothing
	}
	if p.json {
		return p.printJSON(scores)
	}
	share := func(part, of int) string {
		if of == 0 {
			return "-"
		}
		return fmt.Sprintf("%.1f %% of %d", 100*float64(part)/float64(of), of)
	}
	var t table
	t.add("language", "files", "recall: functions, methods, types", "recall: all kinds", "listed by ctags, too")
	for _, s := range scores {
		t.add(s.Language, fmt.Sprint(s.Files), share(s.CoreHit, s.Core), share(s.Found, s.Tags), share(s.Tagged, s.Defined))
	}
	p.printTable(t)
	if !p.verbose {
		return nil
	}
	for _, s := range scores {
		for _, n := range s.Missing {
			fmt.Fprintf(p.out, "missing %s %s %s: %s/%s:%d\n", n.Language, n.Kind, n.Name, filepath.Base(n.Repo), n.Path, n.Line)
		}
		for _, n := range s.Extra {
			fmt.Fprintf(p.out, "extra %s %s: %s/%s:%d\n", n.Language, n.Name, filepath.Base(n.Repo), n.Path, n.Line)
		}
	}
	return nil
}
