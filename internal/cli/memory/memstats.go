package memory

import (
	"cmp"
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// memStatsCommand counts what is remembered.
func memStatsCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Count what is remembered, and what was asked in the last 30 days",
		Args:  app.UsageArgs(cobra.NoArgs),
		RunE: onMemory(c, func(ctx context.Context, m *workspace.Answers, _ []string) error {
			stats, err := api.MemoryStats.Call(ctx, m.Client, &api.MemoryStatsParams{})
			switch {
			case err != nil:
				return err
			case c.JSON:
				return c.PrintJSON(stats)
			}
			printMemStats(c, stats)
			return nil
		}),
	}
}

func printMemStats(c *app.App, m *api.MemoryStatsResult) {
	fmt.Fprintf(c.Out, "Knowledge:     %d\nReasoning:     %d\nConversations: %d\nSize:          %s\nDatabase:      %s\n",
		m.Knowledge, m.Reasoning, m.Conversations, display.Bytes(m.SizeBytes), display.Clean(cmp.Or(m.Path, "in memory only")))
	if m.Key != "" {
		fmt.Fprintf(c.Out, "Encrypted:     key %s\n", display.Clean(m.Key))
	}
	if len(m.Goals) > 0 {
		fmt.Fprintf(c.Out, "\nGoals:\n")
		for _, g := range m.Goals {
			fmt.Fprintf(c.Out, "  %s\n", goalLine(g))
		}
	}
	if m.Practice != nil {
		printPractice(c, "Tools of answers", "Answers", m.Practice.Tools)
		printPractice(c, "Agents of answers", "Subgoals", m.Practice.Agents)
	}
	if len(m.Metrics) == 0 {
		return
	}
	t := display.Table{Columns: []display.Column{{Title: "Last 30 days"}, {Title: "Count"}, {Title: "Tokens in"}, {Title: "Tokens out"}}}
	for _, s := range m.Metrics {
		t.Rows = append(t.Rows, []string{display.Clean(s.Op), fmt.Sprint(s.Count), fmt.Sprint(s.TokensInput), fmt.Sprint(s.TokensOutput)})
	}
	fmt.Fprintln(c.Out)
	c.PrintTable(t)
}

// printPractice prints how well tools or agents did.
func printPractice(c *app.App, title, times string, list []api.AnswerStat) {
	if len(list) == 0 {
		return
	}
	t := display.Table{Columns: []display.Column{{Title: title}, {Title: times}, {Title: "Mean score"}}}
	for _, p := range list {
		t.Rows = append(t.Rows, []string{display.Clean(p.Name), fmt.Sprint(p.Times), fmt.Sprintf("%.2f", p.Score)})
	}
	fmt.Fprintln(c.Out)
	c.PrintTable(t)
}

// goalLine is "G-1 Bound the queue (active, 3 records)".
func goalLine(g api.Goal) string {
	name := display.Clean(g.ID)
	if g.Title != g.ID {
		name += " " + display.Clean(g.Title)
	}
	return fmt.Sprintf("%s (%s, %s)", name, g.Status, display.Count(g.Records, "record"))
}

// goalCommand lists goals, or changes one.
func goalCommand(c *app.App) *cobra.Command {
	p := &api.GoalsParams{}
	cmd := &cobra.Command{
		Use:   "goal [id]",
		Short: "List goals, or change the title or status of one",
		Example: `  aurora remember "The queue is bounded" --goal G-1
  aurora mem goal G-1 --title "Bound the queue" --status done
  aurora mem goal`,
		Args: app.UsageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && (p.Title != "" || p.Status != "") {
				return app.UsageError("Name it: aurora mem goal G-1 --status done", "which goal?")
			}
			if len(args) == 1 {
				p.ID = args[0]
			}
			return onMemory(c, func(ctx context.Context, m *workspace.Answers, _ []string) error {
				result, err := api.Goals.Call(ctx, m.Client, p)
				if err != nil {
					return err
				}
				return printGoals(c, result.Goals)
			})(cmd, args)
		},
	}
	cmd.Flags().StringVar(&p.Title, "title", "", "what it is about")
	cmd.Flags().StringVar(&p.Status, "status", "", "active, done or dropped")
	app.CompleteFlag(cmd, "status", "active", "done", "dropped")
	return cmd
}

func printGoals(c *app.App, goals []api.Goal) error {
	if c.JSON {
		return app.Found(len(goals), c.PrintJSON(goals))
	}
	for _, g := range goals {
		fmt.Fprintln(c.Out, goalLine(g))
	}
	if len(goals) == 0 {
		c.Wrapped("", "No goals yet. A record is made for one with: aurora remember \"...\" --goal G-1")
		return app.ErrNothing
	}
	return nil
}
