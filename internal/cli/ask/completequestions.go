package ask

import (
	"github.com/aurora-sidecar/aurora/engine/history"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// completeQuestions completes the id of a question in the history.
func completeQuestions(c *app.App, cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	p := &workspace.Parts{}
	if len(args) > 0 || workspace.LoadSettings(c, p, workspace.Wiring{}) != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ids := []string{"last\tthe newest one"}
	if store := workspace.OpenHistory(p.Settings, p.Encryption()); store != nil {
		entries, _, _ := store.List(cmd.Context(), history.Filter{Limit: 20})
		for _, e := range entries {
			ids = append(ids, e.ID+"\t"+show.OneLineOf(e.Question))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
