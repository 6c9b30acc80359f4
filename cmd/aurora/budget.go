package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/aurora-sidecar/aurora/engine/budget"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/spf13/cobra"
)

// budgetCommand shows and resets what models have cost (BUD-018 to BUD-020).
func (c *cli) budgetCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "budget",
		Short: "Show what the models have cost",
		Long: `Show what the models have cost, over all projects and processes. The limits are set below cost_budgets in
~/.aurora/config.json; models that run on this machine cost nothing.`,
		Args: noSuchCommand,
		RunE: showHelp, Annotations: onlyGroups,
	}
	month := ""
	history := &cobra.Command{
		Use: "history", Short: "List past periods", Args: usageArgs(cobra.NoArgs),
		RunE: c.onBudget(func(cmd *cobra.Command, t *budget.Tracker) error { return c.budgetHistory(cmd, t, month) }),
	}
	history.Flags().StringVar(&month, "month", "", "only the periods of a month, such as 2025-12")
	root.AddCommand(
		&cobra.Command{Use: "status", Short: "Show the present period", Args: usageArgs(cobra.NoArgs), RunE: c.onBudget(c.budgetStatus)},
		&cobra.Command{Use: "reset", Short: "Begin the present period anew", Args: usageArgs(cobra.NoArgs), RunE: c.onBudget(c.budgetReset)},
		history,
	)
	return root
}

// onBudget adapts a command that works on the account of the user's settings.
func (c *cli) onBudget(run func(*cobra.Command, *budget.Tracker) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		p := &parts{}
		if err := c.loadSettings(p, wiring{}); err != nil {
			return err
		}
		return run(cmd, setup.Budget(p.settings, c.now))
	}
}

func (c *cli) budgetStatus(cmd *cobra.Command, t *budget.Tracker) error {
	p, err := t.Status(cmd.Context())
	if err != nil {
		return failure("Check cost_budgets.tracking_file.", err)
	}
	if c.json {
		return c.printJSON(p)
	}
	fmt.Fprintf(c.out, "%.0f%% consumed ($%.2f / $%.2f) by %s\nRemaining: $%.2f\nPeriod: %s to %s\n", p.Percent(), p.Consumed, p.LimitUSD,
		queries(p.Queries), p.Remaining, p.Start.Format(time.DateOnly), p.End.Format(time.DateOnly))
	return nil
}

func (c *cli) budgetReset(cmd *cobra.Command, t *budget.Tracker) error {
	if err := t.Reset(cmd.Context()); err != nil {
		return failure("Check cost_budgets.tracking_file.", err)
	}
	return c.budgetStatus(cmd, t)
}

func (c *cli) budgetHistory(cmd *cobra.Command, t *budget.Tracker, month string) error {
	var from time.Time
	if month != "" {
		var err error
		if from, err = time.Parse("2006-01", month); err != nil {
			return usageError("Write it as in 2025-12.", "--month must be a year and a month (got %q)", month)
		}
	}
	list, err := t.History(cmd.Context(), from)
	if err != nil {
		return failure("Check cost_budgets.tracking_file.", err)
	}
	if c.json {
		if list == nil {
			list = []budget.Period{}
		}
		return c.printJSON(list)
	}
	for _, p := range list {
		fmt.Fprintf(c.out, "%s to %s  $%.2f of $%.2f, %s\n", p.Start.Format(time.DateOnly), p.End.Format(time.DateOnly), p.Consumed, p.LimitUSD, queries(p.Queries))
	}
	if len(list) == 0 {
		return &exit{code: exitNothing, err: errors.New("no period touches that month")}
	}
	return nil
}

func queries(n int) string {
	if n == 1 {
		return "1 query"
	}
	return fmt.Sprintf("%d queries", n)
}
