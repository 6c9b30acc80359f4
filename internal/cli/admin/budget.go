package admin

import (
	"errors"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/spf13/cobra"
)

// BudgetCommand shows and resets what models have cost.
func BudgetCommand(c *app.App) *cobra.Command {
	reset, past, month := false, false, ""
	cmd := &cobra.Command{
		Use:   "budget",
		Short: "Show what models have cost",
		Long: `Show what models have cost in this period, over all projects and processes. The limits are set below cost_budgets in
~/.aurora/config.json; models that run on this machine cost nothing.`,
		Example: "  aurora budget\n  aurora budget --history --month 2025-12\n  aurora budget --reset",
		Args:    app.UsageArgs(cobra.NoArgs),
		RunE: onBudget(c, func(cmd *cobra.Command, t *budget.Tracker) error {
			switch {
			case reset:
				return budgetReset(c, cmd, t)
			case past || month != "":
				return budgetHistory(c, cmd, t, month)
			}
			return budgetStatus(c, cmd, t)
		}),
	}
	cmd.Flags().BoolVar(&reset, "reset", false, "start a new period now")
	cmd.Flags().BoolVar(&past, "history", false, "list past periods")
	cmd.Flags().StringVar(&month, "month", "", "list the periods of a month, such as 2025-12")
	cmd.MarkFlagsMutuallyExclusive("reset", "history")
	cmd.MarkFlagsMutuallyExclusive("reset", "month")
	return cmd
}

// onBudget adapts a command that works on the account of the user's settings.
func onBudget(c *app.App, run func(*cobra.Command, *budget.Tracker) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		return workspace.OnJournal(cmd.Context(), c, func(p *workspace.Parts) error {
			return run(cmd, setup.Budget(p.Settings, p.Store, c.Now))
		})
	}
}

func budgetStatus(c *app.App, cmd *cobra.Command, t *budget.Tracker) error {
	p, err := t.Status(cmd.Context())
	if err != nil {
		return app.Failure("aurora doctor checks the database.", err)
	}
	if c.JSON {
		return c.PrintJSON(p)
	}
	fmt.Fprintf(c.Out, "%.0f%% consumed ($%.2f / $%.2f) by %s\nRemaining: $%.2f\nPeriod: %s to %s\n", p.Percent(), p.Consumed, p.LimitUSD,
		queries(p.Queries), p.Remaining, p.Start.Format(time.DateOnly), p.End.Format(time.DateOnly))
	return nil
}

func budgetReset(c *app.App, cmd *cobra.Command, t *budget.Tracker) error {
	if err := t.Reset(cmd.Context()); err != nil {
		return app.Failure("aurora doctor checks the database.", err)
	}
	return budgetStatus(c, cmd, t)
}

func budgetHistory(c *app.App, cmd *cobra.Command, t *budget.Tracker, month string) error {
	var from time.Time
	if month != "" {
		var err error
		if from, err = time.Parse("2006-01", month); err != nil {
			return app.UsageError("Write it as in 2025-12.", "--month must be a year and a month (got %q)", month)
		}
	}
	list, err := t.History(cmd.Context(), from)
	if err != nil {
		return app.Failure("aurora doctor checks the database.", err)
	}
	if c.JSON {
		if list == nil {
			list = []budget.Period{}
		}
		return c.PrintJSON(list)
	}
	for _, p := range list {
		fmt.Fprintf(c.Out, "%s to %s  $%.2f of $%.2f, %s\n", p.Start.Format(time.DateOnly), p.End.Format(time.DateOnly), p.Consumed, p.LimitUSD, queries(p.Queries))
	}
	if len(list) == 0 {
		return &app.Exit{Code: app.ExitNothing, Err: errors.New("no period touches that month")}
	}
	return nil
}

func queries(n int) string {
	if n == 1 {
		return "1 query"
	}
	return fmt.Sprintf("%d queries", n)
}
