package main

import (
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/spf13/cobra"
)

// tableFlags say how mem search shows its hits.
type tableFlags struct {
	searchFlags
	showScores bool
	legacy     bool
}

// memSearchCommand prints the search table.
func (c *cli) memSearchCommand() *cobra.Command {
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
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			query := strings.Join(args, " ")
			f.explain = f.showScores
			result, err := c.search(cmd.Context(), query, &f.searchFlags, !f.legacy)
			if err != nil {
				return err
			}
			return c.printHits(query, result, f)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.showScores, "show-scores", false, "explain each score in a box")
	cmd.Flags().BoolVar(&f.legacy, "legacy", false, "only the columns File, Type, Name, Lines and Score")
	return cmd
}

func (c *cli) printHits(query string, result *engine.SearchResult, f *tableFlags) error {
	if c.json {
		return c.printResult(result)
	}
	if len(result.Hits) == 0 {
		return c.nothingFound(query, result.Notes, &f.searchFlags)
	}
	view := hitView{legacy: f.legacy, git: !f.noGit, now: c.now()}
	if f.showScores {
		for _, line := range view.boxes(query, result.Hits, c.width) {
			fmt.Fprintln(c.out, line)
		}
		c.notes(append(citationNotes(result.Hits), result.Notes...))
		return nil
	}
	notes := append(citationNotes(result.Hits), c.printTable(view.table(result.Hits))...)
	c.notes(append(notes, result.Notes...))
	return nil
}

// printTable prints a table, fitted to the terminal; in a pipe nothing is cut. It returns what had to be left out.
func (c *cli) printTable(table display.Table) (notes []string) {
	lines, hidden := table.Lines(c.width)
	for i, line := range lines {
		if i == 0 {
			line = c.bold(line)
		}
		fmt.Fprintln(c.out, line)
	}
	if len(hidden) > 0 {
		notes = append(notes, "the terminal is too narrow for: "+strings.Join(hidden, ", "))
	}
	return notes
}
