package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/spf13/cobra"
)

// metricDays is how far back the statistics sum up what was asked.
const metricDays = 30

// memStats are the statistics of memory.
type memStats struct {
	api.MemoryCounts
	Conversations int           `json:"conversations"` // in the log index
	Goals         []goalJSON    `json:"goals"`
	Metrics       []metricsJSON `json:"metrics"` // of the last 30 days

	Practice *engine.Practice `json:"practice,omitempty"` // of answers that are remembered
}

// A goalJSON is a goal with the number of its records.
type goalJSON struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Status  string `json:"status"`
	Records int    `json:"records"`
	Updated string `json:"updated"`
}

type metricsJSON struct {
	Op           string `json:"op"`
	Count        int    `json:"count"`
	TokensInput  int    `json:"tokensInput"`
	TokensOutput int    `json:"tokensOutput"`
	Last         string `json:"last"`
}

// memStatsCommand counts what is remembered.
func memStatsCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Count what is remembered, and what was asked in the last 30 days",
		Args:  app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := workspace.OpenMemory(cmd.Context(), c)
			if err != nil {
				return err
			}
			defer s.Close()
			status, err := s.Engine.Status(cmd.Context())
			if err != nil {
				return err
			}
			stats, err := readMemStats(s, cmd.Context(), status.Memory)
			if err != nil {
				return err
			}
			if c.JSON {
				return c.PrintJSON(stats)
			}
			printMemStats(c, stats)
			return nil
		},
	}
}

func readMemStats(s *workspace.Session, ctx context.Context, counts engine.MemoryStatus) (*memStats, error) {
	stats := &memStats{MemoryCounts: api.MemoryCounts(counts), Goals: []goalJSON{}, Metrics: []metricsJSON{}}
	if s.Memory == nil {
		return stats, nil
	}
	goals, err := s.Memory.Goals(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range goals {
		stats.Goals = append(stats.Goals, goalJSON{g.ID, g.Title, g.Status, g.Records, g.UpdatedAt.Format(time.RFC3339)})
	}
	metrics, err := s.Memory.MetricSums(ctx, s.Cli.Now().AddDate(0, 0, -metricDays))
	if err != nil {
		return nil, err
	}
	for _, m := range metrics {
		stats.Metrics = append(stats.Metrics, metricsJSON{m.Op, m.Count, m.TokensInput, m.TokensOutput, m.Last.Format(time.RFC3339)})
	}
	if stats.Practice, err = s.Engine.Practice(ctx); err != nil {
		return nil, err
	}
	files, err := s.Memory.LoggedFiles(ctx)
	stats.Conversations = len(files)
	return stats, err
}

func printMemStats(c *app.App, m *memStats) {
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
func printPractice(c *app.App, title, times string, list []engine.Practised) {
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
func goalLine(g goalJSON) string {
	name := display.Clean(g.ID)
	if g.Title != g.ID {
		name += " " + display.Clean(g.Title)
	}
	return fmt.Sprintf("%s (%s, %s)", name, g.Status, display.Count(g.Records, "record"))
}

// goalCommand lists goals, or changes one.
func goalCommand(c *app.App) *cobra.Command {
	goal := memory.Goal{}
	cmd := &cobra.Command{
		Use:   "goal [id]",
		Short: "List goals, or change the title or status of one",
		Example: `  aurora remember "The queue is bounded" --goal G-1
  aurora mem goal G-1 --title "Bound the queue" --status done
  aurora mem goal`,
		Args: app.UsageArgs(cobra.MaximumNArgs(1)),
		RunE: onMemory(c, func(cmd *cobra.Command, s *workspace.Session, args []string) error {
			if len(args) == 0 && (goal.Title != "" || goal.Status != "") {
				return app.UsageError("Name it: aurora mem goal G-1 --status done", "which goal?")
			}
			if len(args) == 1 {
				goal.ID = args[0]
				err := s.Memory.SetGoal(cmd.Context(), goal)
				if errors.Is(err, memory.ErrInvalid) {
					return app.UsageError("", "%w", err)
				}
				if err != nil {
					return err
				}
			}
			return printGoals(cmd.Context(), c, s, goal.ID)
		}),
	}
	cmd.Flags().StringVar(&goal.Title, "title", "", "what it is about")
	cmd.Flags().StringVar(&goal.Status, "status", "", "active, done or dropped")
	_ = cmd.RegisterFlagCompletionFunc("status", cobra.FixedCompletions([]string{memory.GoalActive, memory.GoalDone, memory.GoalDropped}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// printGoals prints all goals, or the one with an id.
func printGoals(ctx context.Context, c *app.App, s *workspace.Session, id string) error {
	stats, err := readMemStats(s, ctx, engine.MemoryStatus{})
	if err != nil {
		return err
	}
	shown := []goalJSON{}
	for _, g := range stats.Goals {
		if id == "" || g.ID == id {
			shown = append(shown, g)
		}
	}
	if c.JSON {
		return c.PrintJSON(shown)
	}
	for _, g := range shown {
		fmt.Fprintln(c.Out, goalLine(g))
	}
	if len(shown) == 0 {
		c.Wrapped("", "No goals yet. A record is made for one with: aurora remember \"...\" --goal G-1")
		return app.ErrNothing
	}
	return nil
}
