package ask

import (
	"context"

	"github.com/aurora-sidecar/aurora/internal/api"
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
	_ = onHistory(c, func(ctx context.Context, m *workspace.Answers, _ []string) error {
		list, err := api.History.Call(ctx, m.Client, &api.HistoryParams{Limit: 20})
		if err != nil {
			return err
		}
		for _, e := range list.Queries {
			ids = append(ids, e.QueryID+"\t"+show.OneLineOf(e.Query))
		}
		return nil
	})(cmd, nil)
	return ids, cobra.ShellCompDirectiveNoFileComp
}
