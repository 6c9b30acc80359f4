package search

import (
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/spf13/cobra"
)

// tableFlags say how mem search shows its hits.
type tableFlags struct {
	SearchFlags
	showScores bool
	legacy     bool
}

// SearchCommand prints the search table.
func SearchCommand(c *app.App) *cobra.Command {
	f, pick := &tableFlags{}, false
	cmd := &cobra.Command{
		Use:   "search [words]",
		Short: "Search code and memory; prints a table",
		Long: `Search code and memory by words, identifiers or fragments. Exact identifiers come first.
Among the words may stand the filters type:, lang:, path: and tag:, "an exact phrase", and -word or -path:folder for
what is to be left out.`,
		Example: `  aurora search "token expiry"
  aurora search parseConfig --type function,method
  aurora search "path:internal/ retry" -n 5 --show-scores
  aurora search retry --json`,
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
	cmd.Flags().BoolVar(&f.showScores, "show-scores", false, "explain each score in a box")
	cmd.Flags().BoolVar(&f.legacy, "legacy", false, "only the columns File, Type, Name, Lines and Score")
	return cmd
}

func printHits(c *app.App, query string, result *api.SearchResult, f *tableFlags) error {
	if c.JSON {
		return show.PrintResult(c, result)
	}
	if len(result.Hits) == 0 {
		return nothingFound(c, query, result.Notes, &f.SearchFlags)
	}
	view := show.HitView{Legacy: f.legacy, Git: !f.noGit, Now: c.Now()}
	if f.showScores {
		for _, line := range view.Boxes(query, result.Hits, c.Width) {
			fmt.Fprintln(c.Out, line)
		}
		c.Notes(append(show.CitationNotes(result.Hits), result.Notes...))
		return nil
	}
	notes := append(show.CitationNotes(result.Hits), c.PrintTable(view.Table(result.Hits))...)
	c.Notes(append(notes, result.Notes...))
	return nil
}
