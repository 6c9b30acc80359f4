package memory

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// maxListed is how many findings of one sort are printed without --all.
const maxListed = 10

// auditCommand shows what is wrong with memory, and what maintenance would do.
func auditCommand(c *app.App) *cobra.Command {
	var apply, all bool
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Show duplicates, stale, unused, contradicted and expiring memory",
		Long: `Show what is wrong with memory: duplicates, records whose cited code has changed, records that nobody used,
contradictions, and what the lifespan policies let expire. Nothing is changed; --apply forgets what has expired, and
"aurora forget --undo" brings it back for 30 days.`,
		Args: app.UsageArgs(cobra.NoArgs),
		RunE: onReadyProject(c, func(cmd *cobra.Command, s *workspace.Session, _ []string) error {
			audit, err := s.Engine.Audit(cmd.Context())
			if err != nil {
				return err
			}
			forgotten := 0
			if apply {
				if forgotten, err = s.Engine.Maintain(cmd.Context(), audit); err != nil {
					return err
				}
			}
			if c.JSON {
				return c.PrintJSON(newAuditJSON(audit, apply, forgotten))
			}
			limit := maxListed
			if all {
				limit = 1 << 30
			}
			printAudit(c, audit, limit, apply, forgotten)
			return nil
		}),
	}
	cmd.Flags().BoolVar(&apply, "apply", false, "forget what has expired")
	cmd.Flags().BoolVar(&all, "all", false, "list everything")
	return cmd
}

// onReadyProject is onIndex for commands that need their own flags.
func onReadyProject(c *app.App, run func(cmd *cobra.Command, s *workspace.Session, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return workspace.OnIndex(c, func(_ context.Context, s *workspace.Session, args []string) error { return run(cmd, s, args) })(cmd, args)
	}
}

func printAudit(c *app.App, a *engine.Audit, limit int, apply bool, forgotten int) {
	fmt.Fprintf(c.Out, "Audited %s\n", display.Count(a.Records, "record"))
	listPairs(c, "Duplicates", a.Duplicates, limit)
	listFindings(c, "Stale: the cited code is not what it was", a.Stale, limit)
	listFindings(c, "Never used", a.NeverUsed, limit)
	listPairs(c, "Contradicted", a.Contradicted, limit)
	listFindings(c, "Expiring within two weeks", a.Expiring, limit)
	listFindings(c, "Expired", a.Expired, limit)
	listFindings(c, "Inactive: decayed, come last", a.Inactive, limit)
	listFindings(c, "Escalation candidates", a.Escalation, limit)
	if len(a.Difficult) > 0 {
		fmt.Fprintf(c.Out, "\nDifficult queries (%d)\n", len(a.Difficult))
		for _, d := range a.Difficult[:min(limit, len(a.Difficult))] {
			c.Hanging(fmt.Sprintf("  %q went badly %s, last with %.2f", display.Clean(d.Query), display.Count(d.Failures, "time"), d.Score), 4)
		}
	}
	fmt.Fprintln(c.Out)
	switch {
	case apply:
		fmt.Fprintf(c.Out, "Forgot %s; \"aurora forget --undo\" brings them back for 30 days.\n", display.Count(forgotten, "record"))
	case len(a.Expired) > 0:
		fmt.Fprintf(c.Out, "Dry run: --apply would forget %s.\n", display.Count(len(a.Expired), "record"))
	default:
		fmt.Fprintln(c.Out, "Dry run: --apply would change nothing.")
	}
}

func listFindings(c *app.App, title string, list []engine.Finding, limit int) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(c.Out, "\n%s (%d)\n", title, len(list))
	for _, f := range list[:min(limit, len(list))] {
		line := fmt.Sprintf("  %s  %s: %s", display.Clean(f.ID), display.Clean(f.Title), display.Clean(f.Reason))
		if f.Policy != "" {
			line += " (policy " + display.Clean(f.Policy)
			if !f.Expires.IsZero() {
				line += ", until " + display.Date(f.Expires)
			}
			line += ")"
		}
		c.Hanging(line, 4)
	}
	printRest(c, len(list)-limit)
}

func listPairs(c *app.App, title string, list []engine.Pair, limit int) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(c.Out, "\n%s (%d)\n", title, len(list))
	for _, p := range list[:min(limit, len(list))] {
		c.Hanging(fmt.Sprintf("  %s and %s: %s", display.Clean(p.ID), display.Clean(p.Other), p.Reason), 4)
	}
	printRest(c, len(list)-limit)
}

func printRest(c *app.App, more int) {
	if more > 0 {
		fmt.Fprintf(c.Out, "  and %d more (--all)\n", more)
	}
}

// An auditJSON is the audit for programs.
type auditJSON struct {
	Records      int           `json:"records"`
	Duplicates   []pairJSON    `json:"duplicates"`
	Stale        []findingJSON `json:"stale"`
	NeverUsed    []findingJSON `json:"neverUsed"`
	Contradicted []pairJSON    `json:"contradicted"`
	Expiring     []findingJSON `json:"expiring"`
	Expired      []findingJSON `json:"expired"`
	Inactive     []findingJSON `json:"inactive"`
	Escalation   []findingJSON `json:"escalation"`
	Difficult    []string      `json:"difficultQueries"`
	DryRun       bool          `json:"dryRun"`
	Forgotten    int           `json:"forgotten"`
}

type findingJSON struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Reason  string `json:"reason"`
	Policy  string `json:"policy,omitempty"`
	Expires string `json:"expires,omitempty"`
}

type pairJSON struct {
	ID     string `json:"id"`
	Other  string `json:"other"`
	Reason string `json:"reason"`
}

func newAuditJSON(a *engine.Audit, apply bool, forgotten int) auditJSON {
	out := auditJSON{
		Records: a.Records, Duplicates: pairsJSON(a.Duplicates), Stale: findingsJSON(a.Stale), NeverUsed: findingsJSON(a.NeverUsed),
		Contradicted: pairsJSON(a.Contradicted), Expiring: findingsJSON(a.Expiring), Expired: findingsJSON(a.Expired),
		Inactive: findingsJSON(a.Inactive), Escalation: findingsJSON(a.Escalation), Difficult: []string{}, DryRun: !apply, Forgotten: forgotten,
	}
	for _, d := range a.Difficult {
		out.Difficult = append(out.Difficult, d.Query)
	}
	return out
}

func findingsJSON(list []engine.Finding) []findingJSON {
	out := make([]findingJSON, len(list))
	for i, f := range list {
		out[i] = findingJSON{ID: f.ID, Title: f.Title, Reason: f.Reason, Policy: f.Policy}
		if !f.Expires.IsZero() {
			out[i].Expires = f.Expires.UTC().Format("2006-01-02T15:04:05Z")
		}
	}
	return out
}

func pairsJSON(list []engine.Pair) []pairJSON {
	out := make([]pairJSON, len(list))
	for i, p := range list {
		out[i] = pairJSON{p.ID, p.Other, p.Reason}
	}
	return out
}
