package memory

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// onMemory adapts a command about memory, which needs no project.
func onMemory(c *app.App, run func(ctx context.Context, m *workspace.Answers, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		m, err := workspace.OpenMemory(cmd.Context(), c)
		if err != nil {
			return err
		}
		defer m.Close()
		return run(cmd.Context(), m, args)
	}
}

// uses are what can be told of a hit besides a rating.
var uses = []string{"opened", "accepted", "copied", "edited", "cited", "returned", "rejected"}

// rateCommand rates memory or code, or reports what was done with it, for editors and scripts without a connection of their own.
func rateCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "rate <good|bad|-1..1|use> <id>...",
		Aliases: []string{"use"},
		Short:   "Rate memory or code, or report how it was used",
		Long: `Rate memory or code, or report how it was used; activation learns from it, and what is rated badly comes last.
A use is one of: ` + strings.Join(uses, ", ") + `. Ids are those that "aurora search --json" prints.`,
		Example: `  aurora mem rate bad know:retries-use-jitter-1a2b3c4d
  aurora mem rate accepted know:retries-use-jitter-1a2b3c4d
  aurora mem rate -- -0.5 know:retries-use-jitter-1a2b3c4d`,
		Args: app.UsageArgs(cobra.MinimumNArgs(2)),

		ValidArgsFunction: app.CompleteFirst(append([]string{"good", "bad"}, uses...)...),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := &api.RateParams{IDs: args[1:], Action: strings.ToLower(args[0])}
			if !slices.Contains(uses, p.Action) {
				value, err := rating(args[0])
				if err != nil {
					return err
				}
				p.Action, p.Value = "rated", value
			}
			return onMemory(c, func(ctx context.Context, m *workspace.Answers, _ []string) error {
				noted, err := api.Rate.Call(ctx, m.Client, p)
				switch {
				case err != nil:
					return err
				case c.JSON:
					return c.PrintJSON(noted)
				}
				fmt.Fprintf(c.Out, "Noted %s for %s\n", p.Action, display.Count(noted.Noted, "id"))
				return nil
			})(cmd, args)
		},
	}
}

func rating(word string) (float64, error) {
	switch strings.ToLower(word) {
	case "good":
		return 1, nil
	case "bad":
		return -1, nil
	}
	value, err := strconv.ParseFloat(word, 64)
	if err != nil || !(value >= -1 && value <= 1) {
		return 0, app.UsageError("Write good, bad, a number from -1 to 1, or one of: "+strings.Join(uses, ", ")+".", "unknown rating %q", word)
	}
	return value, nil
}

// relateCommand links two records.
func relateCommand(c *app.App) *cobra.Command {
	p := &api.RelateParams{}
	cmd := &cobra.Command{
		Use:   "relate <from> <to>",
		Short: "Link two records, or a record with code; activation spreads along links",
		Long: `Link two records, or a record with code; activation spreads along links. What a record contradicts comes later in every
answer and says so; what it supersedes is in no answer any more, until the record is forgotten.`,
		Example: `  aurora mem relate know:new-limit-1a2b3c4d know:old-limit-5e6f7a8b --as contradicts
  aurora mem relate know:why-jitter-1a2b3c4d code:net/retry.go:Retry --as explains`,
		Args: app.UsageArgs(cobra.ExactArgs(2)),
		RunE: onMemory(c, func(ctx context.Context, m *workspace.Answers, args []string) error {
			p.From, p.To = args[0], args[1]
			related, err := api.Relate.Call(ctx, m.Client, p)
			sendToTeam(ctx, m)
			switch {
			case err != nil:
				return err
			case c.JSON:
				return c.PrintJSON(related)
			}
			fmt.Fprintf(c.Out, "%s %s %s\n", display.Clean(p.From), display.Clean(p.Type), display.Clean(p.To))
			return nil
		}),
	}
	cmd.Flags().StringVar(&p.Type, "as", "relates to", "what the first is to the second: contradicts lowers the second, supersedes hides it")
	cmd.Flags().Float64Var(&p.Weight, "weight", 1, "how strongly, 0 to 1")
	return cmd
}
