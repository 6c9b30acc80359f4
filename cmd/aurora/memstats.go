package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
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
func (c *cli) memStatsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Count what is remembered, and what was asked in the last 30 days",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := c.openMemory(cmd.Context())
			if err != nil {
				return err
			}
			defer s.close()
			status, err := s.engine.Status(cmd.Context())
			if err != nil {
				return err
			}
			stats, err := s.memStats(cmd.Context(), status.Memory)
			if err != nil {
				return err
			}
			if c.json {
				return c.printJSON(stats)
			}
			c.printMemStats(stats)
			return nil
		},
	}
}

func (s *session) memStats(ctx context.Context, counts engine.MemoryStatus) (*memStats, error) {
	stats := &memStats{MemoryCounts: api.MemoryCounts(counts), Goals: []goalJSON{}, Metrics: []metricsJSON{}}
	if s.memory == nil {
		return stats, nil
	}
	goals, err := s.memory.Goals(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range goals {
		stats.Goals = append(stats.Goals, goalJSON{g.ID, g.Title, g.Status, g.Records, g.UpdatedAt.Format(time.RFC3339)})
	}
	metrics, err := s.memory.MetricSums(ctx, s.cli.now().AddDate(0, 0, -metricDays))
	if err != nil {
		return nil, err
	}
	for _, m := range metrics {
		stats.Metrics = append(stats.Metrics, metricsJSON{m.Op, m.Count, m.TokensInput, m.TokensOutput, m.Last.Format(time.RFC3339)})
	}
	if stats.Practice, err = s.engine.Practice(ctx); err != nil {
		return nil, err
	}
	files, err := s.memory.LoggedFiles(ctx)
	stats.Conversations = len(files)
	return stats, err
}

func (c *cli) printMemStats(m *memStats) {
	fmt.Fprintf(c.out, "Knowledge:     %d\nReasoning:     %d\nConversations: %d\nSize:          %s\nDatabase:      %s\n",
		m.Knowledge, m.Reasoning, m.Conversations, display.Bytes(m.SizeBytes), display.Clean(cmp.Or(m.Path, "in memory only")))
	if m.Key != "" {
		fmt.Fprintf(c.out, "Encrypted:     key %s\n", display.Clean(m.Key))
	}
	if len(m.Goals) > 0 {
		fmt.Fprintf(c.out, "\nGoals:\n")
		for _, g := range m.Goals {
			fmt.Fprintf(c.out, "  %s\n", goalLine(g))
		}
	}
	if m.Practice != nil {
		c.printPractice("Tools of answers", "Answers", m.Practice.Tools)
		c.printPractice("Agents of answers", "Subgoals", m.Practice.Agents)
	}
	if len(m.Metrics) == 0 {
		return
	}
	t := display.Table{Columns: []display.Column{{Title: "Last 30 days"}, {Title: "Count"}, {Title: "Tokens in"}, {Title: "Tokens out"}}}
	for _, s := range m.Metrics {
		t.Rows = append(t.Rows, []string{display.Clean(s.Op), fmt.Sprint(s.Count), fmt.Sprint(s.TokensInput), fmt.Sprint(s.TokensOutput)})
	}
	fmt.Fprintln(c.out)
	c.printTable(t)
}

// printPractice prints how well tools or agents did.
func (c *cli) printPractice(title, times string, list []engine.Practised) {
	if len(list) == 0 {
		return
	}
	t := display.Table{Columns: []display.Column{{Title: title}, {Title: times}, {Title: "Mean score"}}}
	for _, p := range list {
		t.Rows = append(t.Rows, []string{display.Clean(p.Name), fmt.Sprint(p.Times), fmt.Sprintf("%.2f", p.Score)})
	}
	fmt.Fprintln(c.out)
	c.printTable(t)
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
func (c *cli) goalCommand() *cobra.Command {
	goal := memory.Goal{}
	cmd := &cobra.Command{
		Use:   "goal [id]",
		Short: "List what records are made for, or change one goal's title or status",
		Example: `  aurora mem remember "The queue is bounded" --goal G-1
  aurora mem goal G-1 --title "Bound the queue" --status done
  aurora mem goal`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: c.onMemory(func(cmd *cobra.Command, s *session, args []string) error {
			if len(args) == 0 && (goal.Title != "" || goal.Status != "") {
				return usageError("Name it: aurora mem goal G-1 --status done", "which goal?")
			}
			if len(args) == 1 {
				goal.ID = args[0]
				err := s.memory.SetGoal(cmd.Context(), goal)
				if errors.Is(err, memory.ErrInvalid) {
					return usageError("", "%w", err)
				}
				if err != nil {
					return err
				}
			}
			return c.printGoals(cmd.Context(), s, goal.ID)
		}),
	}
	cmd.Flags().StringVar(&goal.Title, "title", "", "what it is about")
	cmd.Flags().StringVar(&goal.Status, "status", "", "active, done or dropped")
	_ = cmd.RegisterFlagCompletionFunc("status", cobra.FixedCompletions([]string{memory.GoalActive, memory.GoalDone, memory.GoalDropped}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// printGoals prints all goals, or the one with an id.
func (c *cli) printGoals(ctx context.Context, s *session, id string) error {
	stats, err := s.memStats(ctx, engine.MemoryStatus{})
	if err != nil {
		return err
	}
	shown := []goalJSON{}
	for _, g := range stats.Goals {
		if id == "" || g.ID == id {
			shown = append(shown, g)
		}
	}
	if c.json {
		return c.printJSON(shown)
	}
	for _, g := range shown {
		fmt.Fprintln(c.out, goalLine(g))
	}
	if len(shown) == 0 {
		c.wrapped("", "No goals yet. A record is made for one with: aurora mem remember \"...\" --goal G-1")
		return errNothing
	}
	return nil
}
