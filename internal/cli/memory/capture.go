package memory

import (
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// shortHash is how much of a commit's hash is printed.
const shortHash = 10

// captureCommand offers what commits say of decisions to memory.
func captureCommand(c *app.App) *cobra.Command {
	p := &api.DecisionsParams{}
	cmd := &cobra.Command{
		Use:   "capture",
		Short: "Show decisions that your commits state and memory lacks; remember one",
		Long: `Show decisions and reasons that your newest 100 commits on this branch state, in their messages or in comments such as
"DECISION: ...", and that memory lacks. Nothing is remembered before you accept it: --accept keeps an offer with the code that
it is about, --dismiss never offers it again. The rule reads English, and asks no model.`,
		Example: `  aurora mem capture --since v1.2
  aurora mem capture --accept 1a2b3c4d5e`,
		Args: app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			project, err := workspace.OpenAnswers(cmd.Context(), c, workspace.IndexTimeout)
			if err != nil {
				return err
			}
			defer project.Close()
			found, err := api.Decisions.Call(cmd.Context(), project.Client, p)
			if err != nil {
				return err
			}
			return printDecisions(c, p, found)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&p.Since, "since", "", "only commits after this `commit`, tag or branch")
	flags.IntVarP(&p.Limit, "limit", "n", 10, "most offers, 1 to 100")
	flags.BoolVar(&p.Everyone, "everyone", false, "commits of other people, too")
	flags.StringVar(&p.Accept, "accept", "", "remember the offer of this `commit`")
	flags.StringVar(&p.Dismiss, "dismiss", "", "never make the offer of this `commit` again")
	cmd.MarkFlagsMutuallyExclusive("accept", "dismiss")
	return cmd
}

func printDecisions(c *app.App, p *api.DecisionsParams, found *api.DecisionsResult) error {
	answered := p.Accept != "" || p.Dismiss != ""
	for _, note := range found.Notes {
		c.Warn(display.Clean(note))
	}
	switch {
	case c.JSON && answered:
		return c.PrintJSON(found)
	case c.JSON:
		return app.Found(len(found.Offers), c.PrintJSON(found))
	case found.Created:
		fmt.Fprintf(c.Out, "Remembered as %s\n", found.ID)
	case found.ID != "":
		fmt.Fprintf(c.Out, "Known already as %s\n", found.ID)
	case answered:
		fmt.Fprintln(c.Out, "It will not be offered again.")
	case len(found.Offers) == 0:
		c.Wrapped("", fmt.Sprintf("Nothing to remember in %s.", display.Count(found.Commits, "commit")))
		return app.ErrNothing
	default:
		listOffers(c, found.Offers)
	}
	return nil
}

func listOffers(c *app.App, offers []api.DecisionOffer) {
	for _, o := range offers {
		c.Hanging(fmt.Sprintf("%s  %s", o.Commit[:min(shortHash, len(o.Commit))], display.Clean(strings.Join(strings.Fields(o.Text), " "))), shortHash+2)
		for _, place := range o.Places {
			fmt.Fprintf(c.Out, "%*s%s:%d %s\n", shortHash+2, "", display.Clean(place.Path), place.Line, display.Clean(place.Name))
		}
	}
	fmt.Fprintln(c.Out, "\nRemember one: aurora mem capture --accept <commit>; never offer it again: --dismiss <commit>")
}
