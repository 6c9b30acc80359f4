package memory

import (
	"context"
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

// A commitsFlags are the options of remember that ask what commits state.
type commitsFlags struct {
	api.DecisionsParams
	list bool
}

func (f *commitsFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.list, "commits", false, "list decisions that your newest 100 commits state and memory lacks; nothing is stored")
	flags.BoolVar(&f.Comments, "comments", false, "the same of what comments of the code say that are marked NOTE, HACK, WORKAROUND, TODO or DECISION")
	flags.StringVar(&f.Since, "since", "", "with --commits: only those after this `commit`, tag or branch")
	flags.IntVarP(&f.Limit, "limit", "n", 10, "with --commits or --comments: most decisions, 1 to 100")
	flags.BoolVar(&f.Everyone, "everyone", false, "with --commits: those of other people, too")
	flags.StringVar(&f.Accept, "accept", "", "store the decision of this `commit`, or of the comment at path:line, with the code that it is about")
	flags.StringVar(&f.Dismiss, "dismiss", "", "never list the decision of this `commit`, or of the comment at path:line, again")
	cmd.MarkFlagsMutuallyExclusive("accept", "dismiss")
	cmd.MarkFlagsMutuallyExclusive("commits", "comments")
}

// given reports whether commits are asked for, in place of a text.
func (f *commitsFlags) given() bool { return f.list || f.Comments || f.Accept != "" || f.Dismiss != "" }

// captureCommits lists what commits state, or answers one of them.
func captureCommits(ctx context.Context, c *app.App, p *api.DecisionsParams) error {
	project, err := workspace.OpenAnswers(ctx, c, workspace.IndexTimeout)
	if err != nil {
		return err
	}
	defer project.Close()
	found, err := api.Decisions.Call(ctx, project.Client, p)
	if err != nil {
		return err
	}
	return printDecisions(c, p, found)
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
	case len(found.Offers) == 0 && p.Comments:
		c.Wrapped("", fmt.Sprintf("Nothing to remember in the comments of %s.", display.Count(found.Files, "file")))
		return app.ErrNothing
	case len(found.Offers) == 0:
		c.Wrapped("", fmt.Sprintf("Nothing to remember in %s.", display.Count(found.Commits, "commit")))
		return app.ErrNothing
	default:
		listOffers(c, found.Offers, p.Comments)
	}
	return nil
}

func listOffers(c *app.App, offers []api.DecisionOffer, comments bool) {
	width, what := shortHash, "<commit>"
	if comments {
		width, what = 0, "<path:line>"
	}
	for _, o := range offers {
		text := display.Clean(strings.Join(strings.Fields(o.Text), " "))
		if comments {
			fmt.Fprintln(c.Out, display.Clean(o.Commit))
			c.Hanging("  "+text, 2)
			continue
		}
		c.Hanging(fmt.Sprintf("%s  %s", o.Commit[:min(width, len(o.Commit))], text), width+2)
		for _, place := range o.Places {
			fmt.Fprintf(c.Out, "%*s%s:%d %s\n", width+2, "", display.Clean(place.Path), place.Line, display.Clean(place.Name))
		}
	}
	fmt.Fprintf(c.Out, "\nRemember one: aurora remember --accept %[1]s; never list it again: --dismiss %[1]s\n", what)
}
