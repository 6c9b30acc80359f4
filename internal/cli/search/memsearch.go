package search

import (
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/spf13/cobra"
)

// hitLines is how many lines of code a hit of a search shows.
const hitLines = 8

// viewFlags say how a search shows its hits.
type viewFlags struct {
	SearchFlags
	showScores bool
	legacy     bool
	plain      bool
}

// SearchCommand prints hits with their code, or with plain as a table unless told otherwise.
func SearchCommand(c *app.App, plain bool) *cobra.Command {
	f, pick := &viewFlags{}, false
	cmd := &cobra.Command{
		Use:   "search [words]",
		Short: "Search code and memory",
		Long: `Search code and memory by words, identifiers or fragments. Exact identifiers come first.
Among the words may stand the filters type:, lang:, path: and tag:, "an exact phrase", and -word or -path:folder for
what is to be left out.

Each hit shows its place (path:line), its name, the lines of its code that tell most, and the notes that cite it. A pipe
gets the same without colours and without cuts: the lines of places begin in the first column, all others are indented. For
scripts there is --json; --plain prints a table with one line for each hit.`,
		Example: `  aurora search "token expiry"
  aurora search parseConfig --type function,method
  aurora search "path:internal/ retry" -n 5 --show-scores
  aurora search retry --plain
  aurora search retry --json
  aurora search retry --color always | less -R`,
		Args: func(cmd *cobra.Command, args []string) error {
			if pick || len(args) == 0 && !c.JSON && CanPick(c) {
				return nil
			}
			return app.Missing("query", `aurora search "token expiry"`)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if pick || len(args) == 0 {
				return Pick(cmd.Context(), c, strings.Join(args, " "), &f.SearchFlags)
			}
			query, err := app.TextOf(cmd.Context(), c, args)
			if err != nil {
				return err
			}
			f.explain = f.showScores
			result, err := search(cmd.Context(), c, query, &f.SearchFlags, !f.legacy)
			if err != nil {
				return err
			}
			return printHits(c, query, result, f)
		},
	}
	f.Add(cmd)
	cmd.Flags().BoolVar(&pick, "pick", false, "search while typing, and choose; what is chosen is printed where it cannot be opened")
	cmd.Flags().BoolVar(&f.plain, "plain", plain, "a table with one line for each hit")
	cmd.Flags().BoolVar(&f.showScores, "show-scores", false, "explain each score in a box")
	cmd.Flags().BoolVar(&f.legacy, "legacy", false, "a table with only the columns File, Type, Name, Lines and Score")
	return cmd
}

func printHits(c *app.App, query string, result *api.SearchResult, f *viewFlags) error {
	if c.JSON {
		return show.PrintResult(c, result)
	}
	if len(result.Hits) == 0 {
		return nothingFound(c, query, result.Notes, &f.SearchFlags)
	}
	view := show.HitView{Legacy: f.legacy, Git: !f.noGit, Now: c.Now()}
	var lines, notes []string
	switch {
	case f.showScores:
		lines, notes = view.Boxes(query, result.Hits, c.Width), show.CitationNotes(result.Hits)
	case f.plain || f.legacy:
		notes = append(show.CitationNotes(result.Hits), c.PrintTable(view.Table(result.Hits))...)
	default:
		lines = show.NewPage(c, view, query, hitLines).Hits(result.Hits)
	}
	for _, line := range lines {
		fmt.Fprintln(c.Out, line)
	}
	c.Notes(append(notes, result.Notes...))
	return nil
}
