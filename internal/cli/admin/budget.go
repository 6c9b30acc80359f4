package admin

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			p := &api.BudgetParams{Month: month}
			switch {
			case reset:
				p.Action = "reset"
			case past || month != "":
				p.Action = "history"
			}
			memory, err := workspace.OpenMemory(cmd.Context(), c)
			if err != nil {
				return err
			}
			defer memory.Close()
			b, err := api.Budget.Call(cmd.Context(), memory.Client, p)
			if err != nil {
				return err
			}
			return printBudget(c, b, p.Action == "history")
		},
	}
	cmd.Flags().BoolVar(&reset, "reset", false, "start a new period now")
	cmd.Flags().BoolVar(&past, "history", false, "list past periods")
	cmd.Flags().StringVar(&month, "month", "", "list the periods of a month, such as 2025-12")
	cmd.MarkFlagsMutuallyExclusive("reset", "history")
	cmd.MarkFlagsMutuallyExclusive("reset", "month")
	return cmd
}

func printBudget(c *app.App, b *api.BudgetResult, past bool) error {
	if c.JSON {
		if err := c.PrintJSON(b); err != nil {
			return err
		}
	}
	day := func(moment string) string { return api.Time(moment).Format(time.DateOnly) }
	switch {
	case past && len(b.History) == 0:
		return &app.Exit{Code: app.ExitNothing, Err: errors.New("no period touches that month")}
	case c.JSON:
	case past:
		for _, p := range b.History {
			fmt.Fprintf(c.Out, "%s to %s  $%.2f of $%.2f, %s\n", day(p.Start), day(p.End), p.ConsumedUSD, p.LimitUSD, queries(p.Queries))
		}
	default:
		share := 0.0
		if b.LimitUSD > 0 {
			share = 100 * b.ConsumedUSD / b.LimitUSD
		}
		fmt.Fprintf(c.Out, "%.0f%% consumed ($%.2f / $%.2f) by %s\nRemaining: $%.2f\nPeriod: %s\n", share, b.ConsumedUSD, b.LimitUSD,
			queries(b.Queries), b.RemainingUSD, strings.Replace(b.Period, "/", " to ", 1))
	}
	return nil
}

func queries(n int) string {
	if n == 1 {
		return "1 query"
	}
	return fmt.Sprintf("%d queries", n)
}
