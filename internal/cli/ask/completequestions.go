package ask

import (
	"github.com/aurora-sidecar/aurora/engine/journal"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// completeQuestions completes the id of a question in the history.
func completeQuestions(c *app.App, cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ids := []string{"last\tthe newest one"}
	_ = workspace.OnJournal(cmd.Context(), c, func(p *workspace.Parts) error {
		entries, _, err := p.Journal.List(cmd.Context(), journal.Filter{Limit: 20})
		for _, e := range entries {
			ids = append(ids, e.ID+"\t"+show.OneLineOf(e.Question))
		}
		return err
	})
	return ids, cobra.ShellCompDirectiveNoFileComp
}
