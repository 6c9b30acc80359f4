package memory

import (
	"context"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// maxListed is how many findings of one sort are printed without --all.
const maxListed = 10

// auditCommand shows what is wrong with memory, and what maintenance would do.
func auditCommand(c *app.App) *cobra.Command {
	var apply, all, review bool
	var assign string
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Show duplicates, stale, unused, contradicted and expiring memory",
		Long: `Show what is wrong with memory: duplicates, records whose cited code has changed, records that nobody used,
contradictions, what the lifespan policies let expire, and records of folders that are gone. Nothing is changed; --apply
forgets what has expired, and "aurora forget --undo" brings it back for 30 days. --assign gives the records of a folder that
is gone to the project that is open. --review lists what you should look at: what agents remembered, stale and contradicted
records, and those about to end; "aurora mem edit" accepts or changes one, "aurora forget" takes it out.`,
		Args: app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			project, err := workspace.OpenAnswers(cmd.Context(), c, workspace.IndexTimeout)
			if err != nil {
				return err
			}
			defer project.Close()
			if review {
				return printReview(cmd.Context(), c, project, all)
			}
			audit, err := api.Audit.Call(cmd.Context(), project.Client, &api.AuditParams{Apply: apply, Assign: assign})
			switch {
			case err != nil:
				return err
			case c.JSON:
				return c.PrintJSON(audit)
			}
			limit := maxListed
			if all {
				limit = 1 << 30
			}
			printAudit(c, audit, limit)
			return nil
		},
	}
	cmd.Flags().BoolVar(&apply, "apply", false, "forget what has expired")
	cmd.Flags().StringVar(&assign, "assign", "", "give the records of this `folder`, which is gone, to the open project")
	cmd.Flags().BoolVar(&review, "review", false, "list only what a person should look at, with the reasons")
	cmd.Flags().BoolVar(&all, "all", false, "list everything")
	return cmd
}

// maxReview is how many records of the review are listed with --all.
const maxReview = 100

// printReview lists the records that a person should look at.
func printReview(ctx context.Context, c *app.App, m *workspace.Answers, all bool) error {
	limit := maxListed
	if all {
		limit = maxReview
	}
	found, err := api.Records.Call(ctx, m.Client, &api.RecordsParams{View: "review", Limit: limit})
	switch {
	case err != nil:
		return err
	case c.JSON:
		return app.Found(found.Total, c.PrintJSON(found))
	case found.Total == 0:
		c.Wrapped("", "Nothing to review.")
		return app.ErrNothing
	}
	for _, r := range found.Records {
		c.Hanging(fmt.Sprintf("%s  %s: %s", display.Clean(r.Hit.ID), display.Clean(r.Hit.Name), display.Clean(strings.Join(r.Review, "; "))), 2)
	}
	printRest(c, found.Total-len(found.Records))
	return nil
}

func printAudit(c *app.App, a *api.AuditResult, limit int) {
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
	printMisplaced(c, a)
	printNotes(c, a.Notes, limit)
	fmt.Fprintln(c.Out)
	switch {
	case !a.DryRun:
		fmt.Fprintf(c.Out, "Forgot %s; \"aurora forget --undo\" brings them back for 30 days.\n", display.Count(a.Forgotten, "record"))
	case len(a.Expired) > 0:
		fmt.Fprintf(c.Out, "Dry run: --apply would forget %s.\n", display.Count(len(a.Expired), "record"))
	default:
		fmt.Fprintln(c.Out, "Dry run: --apply would change nothing.")
	}
}

// printMisplaced prints the folders that are gone and still have records, and what became of one of them.
func printMisplaced(c *app.App, a *api.AuditResult) {
	if a.Assigned > 0 {
		fmt.Fprintf(c.Out, "\nThis project has %s more\n", display.Count(a.Assigned, "record"))
	}
	if len(a.Misplaced) == 0 {
		return
	}
	fmt.Fprintf(c.Out, "\nOf folders that are gone: shown in no project (--assign folder) (%d)\n", len(a.Misplaced))
	for _, m := range a.Misplaced {
		c.Hanging(fmt.Sprintf("  %s: %s", display.Clean(m.Folder), display.Count(m.Records, "record")), 4)
	}
}

// printNotes prints what could not be taken of notes, as compilers print places.
func printNotes(c *app.App, faults []api.NoteFault, limit int) {
	if len(faults) == 0 {
		return
	}
	fmt.Fprintf(c.Out, "\nNotes that are not whole (%d)\n", len(faults))
	for _, f := range faults[:min(limit, len(faults))] {
		place := f.Path
		if f.Line > 0 {
			place += fmt.Sprintf(":%d", f.Line)
		}
		c.Hanging(fmt.Sprintf("  %s: %s", display.Clean(place), display.Clean(f.Message)), 4)
	}
	printRest(c, len(faults)-limit)
}

func listFindings(c *app.App, title string, list []api.AuditFinding, limit int) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(c.Out, "\n%s (%d)\n", title, len(list))
	for _, f := range list[:min(limit, len(list))] {
		line := fmt.Sprintf("  %s  %s: %s", display.Clean(f.ID), display.Clean(f.Title), display.Clean(f.Reason))
		if f.Policy != "" {
			line += " (policy " + display.Clean(f.Policy)
			if f.Expires != "" {
				line += ", until " + display.Date(api.Time(f.Expires))
			}
			line += ")"
		}
		c.Hanging(line, 4)
	}
	printRest(c, len(list)-limit)
}

func listPairs(c *app.App, title string, list []api.AuditPair, limit int) {
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
