package admin

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/spf13/cobra"
)

// mostTasks is how many tasks are compared.
const mostTasks = 10

func reportSavings(ctx context.Context, c *app.App) error {
	return onFigures(ctx, c, func(_ *workspace.Parts, store memory.MetricStore) error {
		list, err := store.Savings(ctx, 1_000_000)
		if err != nil {
			return err
		}
		before, after := 0.0, 0.0
		for _, s := range list {
			before, after = before+s.Before/float64(len(list)), after+s.After/float64(len(list))
		}
		shown := list[:min(len(list), mostTasks)]
		if c.JSON {
			return app.Found(len(list), c.PrintJSON(savings{Tasks: orEmpty(shown), Compared: len(list), Before: before, After: after}))
		}
		if len(list) == 0 {
			c.Wrapped("", `No task was noted both without and with AURORA. Note one with "aurora report note".`)
			return app.ErrNothing
		}
		table := display.Table{Columns: []display.Column{{Title: "Task", Min: 8, Left: true}, {Title: "Without"}, {Title: "With"}, {Title: "Less by"}}}
		for _, s := range shown {
			table.Rows = append(table.Rows, []string{display.Clean(s.TaskID), whole(s.Before), whole(s.After), fmt.Sprintf("%.0f%%", s.Reduction)})
		}
		c.Notes(c.PrintTable(table))
		c.Wrapped("", fmt.Sprintf("%s in the mean: %.0f tokens without AURORA, %.0f with it, %.0f%% less.",
			display.Count(len(list), "task"), before, after, 100*(before-after)/before))
		return nil
	})
}

// savings are the result of report --by savings.
type savings struct {
	Tasks    []memory.Saving `json:"tasks"` // the latest
	Compared int             `json:"compared"`
	Before   float64         `json:"avgBefore"` // tokens of a task
	After    float64         `json:"avgAfter"`
}

func reportTrend(ctx context.Context, c *app.App) error {
	return onFigures(ctx, c, func(_ *workspace.Parts, store memory.MetricStore) error {
		days, err := store.TokenTrend(ctx)
		if err != nil {
			return err
		}
		table := display.Table{Columns: []display.Column{{Title: "Day", Left: true}, {Title: "Tasks"}, {Title: "Tokens"}}}
		for _, d := range days {
			table.Rows = append(table.Rows, []string{d.Day, strconv.Itoa(d.Tasks), whole(d.Tokens)})
		}
		return printFigures(c, orEmpty(days), table, `No task with AURORA was noted. Note one with "aurora report note".`)
	})
}

func reportProviders(ctx context.Context, c *app.App) error {
	return onFigures(ctx, c, func(_ *workspace.Parts, store memory.MetricStore) error {
		list, err := store.ProviderEffects(ctx, memory.Span{})
		if err != nil {
			return err
		}
		table := display.Table{Columns: []display.Column{
			{Title: "Source", Left: true}, {Title: "Questions"}, {Title: "Provided"}, {Title: "Cited"}, {Title: "Share"}, {Title: "Score"}, {Title: "Latency"}, {Title: "Cached"},
		}}
		for _, p := range list {
			table.Rows = append(table.Rows, []string{
				p.Provider, strconv.Itoa(p.Queries), strconv.Itoa(p.Provided), strconv.Itoa(p.Used), fmt.Sprintf("%.0f%%", 100*float64(p.Used)/float64(max(p.Provided, 1))),
				fmt.Sprintf("%.2f", p.AvgScore), fmt.Sprintf("%.1f ms", p.LatencyMs), fmt.Sprintf("%.0f%%", 100*p.CacheRate),
			})
		}
		return printFigures(c, orEmpty(list), table, "No question was asked yet.")
	})
}

func reportLanguages(ctx context.Context, c *app.App) error {
	project, err := workspace.OpenAnswers(ctx, c, workspace.IndexTimeout)
	if err != nil {
		return err
	}
	defer project.Close()
	counts, err := api.Languages.Call(ctx, project.Client, &api.LanguagesParams{})
	if err != nil {
		return err
	}
	table := display.Table{Columns: []display.Column{{Title: "Language", Left: true}, {Title: "Chunks"}, {Title: "Tokens"}}}
	for _, l := range counts.Languages {
		table.Rows = append(table.Rows, []string{l.Language, strconv.Itoa(l.Chunks), strconv.Itoa(l.Tokens)})
	}
	return printFigures(c, counts.Languages, table, "Nothing is indexed.")
}

// printFigures prints list for programs, or the table.
func printFigures(c *app.App, list any, table display.Table, nothing string) error {
	if c.JSON {
		return app.Found(len(table.Rows), c.PrintJSON(list))
	}
	if len(table.Rows) == 0 {
		c.Wrapped("", nothing)
		return app.ErrNothing
	}
	c.Notes(c.PrintTable(table))
	return nil
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func whole(v float64) string { return fmt.Sprintf("%.0f", v) }

// noteFlags are the flags of report note.
type noteFlags struct {
	without, with bool
	agent, notes  string
	in, out       int
}

// reportNoteCommand notes what a task took.
func reportNoteCommand(c *app.App) *cobra.Command {
	f := &noteFlags{}
	cmd := &cobra.Command{
		Use:   "note <task>",
		Short: "Note how many tokens a task took, without AURORA or with it",
		Long: `Note how many tokens an agent read and wrote for a task, once without AURORA and once with it, as its own account
tells them. "aurora report --by savings" compares the two.`,
		Example: "  aurora report note T-17 --without --agent claude-code --tokens-in 5000 --tokens-out 2000\n  aurora report note T-17 --with --agent claude-code --tokens-in 1000 --tokens-out 400",
		Args:    app.UsageArgs(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return reportNote(cmd.Context(), c, args[0], f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.without, "without", false, "the task was done without AURORA")
	flags.BoolVar(&f.with, "with", false, "the task was done with AURORA")
	flags.StringVar(&f.agent, "agent", "", "who did it, such as claude-code")
	flags.IntVar(&f.in, "tokens-in", 0, "tokens that were read")
	flags.IntVar(&f.out, "tokens-out", 0, "tokens that were written")
	flags.StringVar(&f.notes, "notes", "", "a remark")
	return cmd
}

// A notedTask is the result of report note.
type notedTask struct {
	Task   string `json:"task"`
	With   bool   `json:"with"`
	Tokens int    `json:"tokens"`
}

func reportNote(ctx context.Context, c *app.App, task string, f *noteFlags) error {
	if f.with == f.without {
		return app.UsageError("", "say one of --without and --with")
	}
	if strings.TrimSpace(task) == "" || f.in < 0 || f.out < 0 || f.in+f.out == 0 {
		return app.UsageError("", "a note needs a task, and --tokens-in or --tokens-out above 0")
	}
	m := memory.Metric{
		At: c.Now(), Op: memory.OpAfter, Agent: f.agent, TaskID: task, ModelUse: memory.ModelUse{TokensIn: f.in, TokensOut: f.out}, Notes: f.notes, Outcome: memory.Succeeded,
	}
	if f.without {
		m.Op = memory.OpBefore
	}
	return onFigures(ctx, c, func(_ *workspace.Parts, store memory.MetricStore) error {
		if err := store.AddMetrics(ctx, []memory.Metric{m}); err != nil {
			return app.Failure("", err)
		}
		if c.JSON {
			return c.PrintJSON(notedTask{Task: task, With: f.with, Tokens: f.in + f.out})
		}
		c.Wrapped("", fmt.Sprintf("Noted: %d tokens for %s.", f.in+f.out, task))
		return nil
	})
}
