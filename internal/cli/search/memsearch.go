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

// MemSearchCommand prints the search table.
func MemSearchCommand(c *app.App) *cobra.Command {
	f := &tableFlags{}
	cmd := &cobra.Command{
		Use:   "search <words>",
		Short: "Search code and memory; prints a table",
		Long: `Search code and memory by words, identifiers or fragments. Exact identifiers come first.
Among the words may stand the filters type:, lang:, path: and tag:, "an exact phrase", and -word or -path:folder for
what is to be left out.`,
		Example: `  aurora mem search "token expiry"
  aurora mem search parseConfig --type function,method
  aurora mem search "path:internal/ retry" -n 5 --show-scores
  aurora mem search retry --json`,
		Args: app.UsageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			query := strings.Join(args, " ")
			f.explain = f.showScores
			result, err := search(cmd.Context(), c, query, &f.SearchFlags, !f.legacy)
			if err != nil {
				return err
			}
			return printHits(c, query, result, f)
		},
	}
	f.Add(cmd)
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
