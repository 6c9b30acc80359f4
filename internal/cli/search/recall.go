package search

import (
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/spf13/cobra"
)

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
