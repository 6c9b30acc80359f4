package search

import (
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/spf13/cobra"
)

// RecallCommand lists what is remembered about something, however far the best of it is.
func RecallCommand(c *app.App) *cobra.Command {
	f := &viewFlags{}
	cmd := &cobra.Command{
		Use:   "recall <words>",
		Short: "List what is remembered about something",
		Long: `List what is remembered about something, the best first, by words in any form and by meaning. Other than a search, which
shows nothing when nothing fits, it shows the nearest three then, marked as weak.`,
		Example: `  aurora recall why do we randomize backoff
  aurora recall "gateway attempts" --json`,
		Args: app.Missing("query", `aurora recall "gateway attempts"`),
		RunE: func(cmd *cobra.Command, args []string) error {
			query, err := app.TextOf(cmd.Context(), c, args)
			if err != nil {
				return err
			}
			f.types, f.atLeast = []string{"knowledge", "reasoning"}, api.RecallAtLeast
			result, err := search(cmd.Context(), c, query, &f.SearchFlags, false)
			if err != nil {
				return err
			}
			return printHits(c, query, result, f)
		},
	}
	flags := cmd.Flags()
	f.given = flags
	flags.IntVarP(&f.limit, "limit", "n", 0, "most results, 1 to 1000 (default: the setting search.limit, 10)")
	app.AddTimeout(cmd, &f.Timeout)
	f.addRecordFlags(flags)
	return cmd
}

// Recall prints the list.
func Recall(c *app.App, cmd *cobra.Command, query string, f *SearchFlags) error {
	result, err := search(cmd.Context(), c, query, f, true)
	if err != nil {
		return err
	}
	if c.JSON {
		return show.PrintResult(c, result)
	}
	if len(result.Hits) == 0 {
		return nothingFound(c, query, result.Notes, f)
	}
	view := show.HitView{Git: !f.noGit, Now: c.Now()}
	for _, line := range view.List(query, result.Hits) {
		c.Hanging(line, 5)
	}
	c.Notes(result.Notes)
	return nil
}

// nothingFound helps on from an empty result.
func nothingFound(c *app.App, query string, notes []string, f *SearchFlags) error {
	c.Wrapped("", fmt.Sprintf("No relevant results found for %q.", display.Cut(query, 80)))
	c.Notes(notes)
	fmt.Fprintln(c.Out)
	hints := []string{"Try fewer words, or an identifier as it is written in the code."}
	if len(f.types) > 0 {
		hints = append(hints, "Leave --type out to search everything.")
	}
	for _, hint := range append(hints, `See what is indexed with "aurora status", and why not with "aurora doctor".`) {
		c.Wrapped("  - ", hint)
	}
	return app.ErrNothing
}
