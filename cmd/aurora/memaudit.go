package main

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/spf13/cobra"
)

// maxListed is how many findings of one sort are printed without --all.
const maxListed = 10

// auditCommand shows what is wrong with memory, and what maintenance would do.
func (c *cli) auditCommand() *cobra.Command {
	var apply, all bool
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Show duplicates, stale, unused, contradicted and expiring memory",
		Long: `Show what is wrong with memory: duplicates, records whose cited code has changed, records that nobody used,
contradictions, and what the lifespan policies let expire. Nothing is changed; --apply forgets what has expired, and
"aurora mem restore" brings it back for 30 days.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: c.onReadyProject(func(cmd *cobra.Command, s *session, _ []string) error {
			audit, err := s.engine.Audit(cmd.Context())
			if err != nil {
				return err
			}
			forgotten := 0
			if apply {
				if forgotten, err = s.engine.Maintain(cmd.Context(), audit); err != nil {
					return err
				}
			}
			if c.json {
				return c.printJSON(newAuditJSON(audit, apply, forgotten))
			}
			limit := maxListed
			if all {
				limit = 1 << 30
			}
			c.printAudit(audit, limit, apply, forgotten)
			return nil
		}),
	}
	cmd.Flags().BoolVar(&apply, "apply", false, "forget what has expired")
	cmd.Flags().BoolVar(&all, "all", false, "list everything")
	return cmd
}

// onReadyProject is onIndex for commands that need their own flags.
func (c *cli) onReadyProject(run func(cmd *cobra.Command, s *session, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return c.onIndex(func(_ context.Context, s *session, args []string) error { return run(cmd, s, args) })(cmd, args)
	}
}

func (c *cli) printAudit(a *engine.Audit, limit int, apply bool, forgotten int) {
	fmt.Fprintf(c.out, "Audited %s\n", display.Count(a.Records, "record"))
	c.listPairs("Duplicates", a.Duplicates, limit)
	c.listFindings("Stale: the cited code is not what it was", a.Stale, limit)
	c.listFindings("Never used", a.NeverUsed, limit)
	c.listPairs("Contradicted", a.Contradicted, limit)
	c.listFindings("Expiring within two weeks", a.Expiring, limit)
	c.listFindings("Expired", a.Expired, limit)
	c.listFindings("Inactive: decayed, come last", a.Inactive, limit)
	c.listFindings("Escalation candidates", a.Escalation, limit)
	if len(a.Difficult) > 0 {
		fmt.Fprintf(c.out, "\nDifficult queries (%d)\n", len(a.Difficult))
		for _, d := range a.Difficult[:min(limit, len(a.Difficult))] {
			c.hanging(fmt.Sprintf("  %q went badly %s, last with %.2f", display.Clean(d.Query), display.Count(d.Failures, "time"), d.Score), 4)
		}
	}
	fmt.Fprintln(c.out)
	switch {
	case apply:
		fmt.Fprintf(c.out, "Forgot %s; \"aurora mem restore\" brings them back for 30 days.\n", display.Count(forgotten, "record"))
	case len(a.Expired) > 0:
		fmt.Fprintf(c.out, "Dry run: --apply would forget %s.\n", display.Count(len(a.Expired), "record"))
	default:
		fmt.Fprintln(c.out, "Dry run: --apply would change nothing.")
	}
}

func (c *cli) listFindings(title string, list []engine.Finding, limit int) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(c.out, "\n%s (%d)\n", title, len(list))
	for _, f := range list[:min(limit, len(list))] {
		line := fmt.Sprintf("  %s  %s: %s", display.Clean(f.ID), display.Clean(f.Title), display.Clean(f.Reason))
		if f.Policy != "" {
			line += " (policy " + display.Clean(f.Policy)
			if !f.Expires.IsZero() {
				line += ", until " + display.Date(f.Expires)
			}
			line += ")"
		}
		c.hanging(line, 4)
	}
	c.printRest(len(list) - limit)
}

func (c *cli) listPairs(title string, list []engine.Pair, limit int) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(c.out, "\n%s (%d)\n", title, len(list))
	for _, p := range list[:min(limit, len(list))] {
		c.hanging(fmt.Sprintf("  %s and %s: %s", display.Clean(p.ID), display.Clean(p.Other), p.Reason), 4)
	}
	c.printRest(len(list) - limit)
}

func (c *cli) printRest(more int) {
	if more > 0 {
		fmt.Fprintf(c.out, "  and %d more (--all)\n", more)
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
