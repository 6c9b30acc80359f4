package admin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/report"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/spf13/cobra"
)

// ReportCommands make reports of the figures of usage.
func ReportCommands(c *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "report",
		Short: "Report what AURORA was asked, what it cost and how it learns",
		Long: `Report what AURORA was asked, what it cost, how often no model was needed, how well the scores of answers agree
with your ratings, and how memory grows. A report is printed, and written as Markdown, JSON and a page with charts below
~/.aurora/reports. The figures are kept in memory's database: times, counts and costs, no text of any question or answer.
Nothing is sent anywhere. The settings metrics.enabled and reporting switch this off.

A day is the day of your calendar when something was asked.`,
		Args: app.NoSuchCommand,
		RunE: app.ShowHelp, Annotations: app.OnlyGroups,
	}
	root.AddCommand(reportCommand(c, report.Daily), reportCommand(c, report.Cumulative), reportCommand(c, report.Monthly))
	root.AddCommand(reportTables(c)...)
	root.AddCommand(reportNoteCommand(c))
	return root
}

// reportFlags are the flags of a report.
type reportFlags struct {
	period string // a date or a month
	output string
	html   bool
	noFile bool
}

func reportCommand(c *app.App, kind report.Kind) *cobra.Command {
	f := &reportFlags{}
	cmd := &cobra.Command{
		Use:  string(kind),
		Args: app.UsageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return makeReport(cmd.Context(), c, kind, f) },
	}
	flags := cmd.Flags()
	switch kind {
	case report.Daily:
		cmd.Short, cmd.Example = "Report one day", "  aurora report daily\n  aurora report daily --date 2025-12-11 --json"
		flags.StringVar(&f.period, "date", "", "the day, such as 2025-12-11 (default: today)")
	case report.Monthly:
		cmd.Short, cmd.Example = "Report one month", "  aurora report monthly --month 2025-11"
		flags.StringVar(&f.period, "month", "", "the month, such as 2025-11 (default: this one)")
	default:
		cmd.Short = "Report all time"
	}
	flags.StringVar(&f.output, "output", "", "folder to write to (default: below the setting reporting.dir)")
	flags.BoolVar(&f.html, "html", false, "print the page with charts")
	flags.BoolVar(&f.noFile, "no-file", false, "only print")
	_ = cmd.MarkFlagDirname("output")
	cmd.MarkFlagsMutuallyExclusive("output", "no-file")
	return cmd
}

func makeReport(ctx context.Context, c *app.App, kind report.Kind, f *reportFlags) error {
	period, err := reportPeriod(c, kind, f.period)
	if err != nil {
		return err
	}
	return onFigures(ctx, c, func(p *workspace.Parts, store memory.MetricStore) error {
		r, err := report.Make(ctx, store, period, c.Now())
		if err != nil {
			return app.Failure("Run: aurora doctor", err)
		}
		if err := printReport(c, r, f.html); err != nil {
			return err
		}
		folder := f.output
		if folder == "" {
			folder = p.ReportFolder(kind)
		}
		if f.noFile || folder == "" {
			return nil
		}
		paths, err := r.Save(folder)
		if err != nil {
			return app.Failure("Choose another folder with --output, or leave the files out with --no-file.", err)
		}
		if !c.JSON && !f.html {
			fmt.Fprintf(c.Err, "aurora: written to %s\n", strings.Join(paths, ", "))
		}
		return nil
	})
}

func reportPeriod(c *app.App, kind report.Kind, text string) (report.Period, error) {
	var period report.Period
	var err error
	switch kind {
	case report.Daily:
		period, err = report.Day(text, c.Now())
	case report.Monthly:
		period, err = report.Month(text, c.Now())
	default:
		return report.AllTime(c.Now()), nil
	}
	if err != nil {
		return period, app.UsageError("", "%w", err)
	}
	return period, nil
}

func printReport(c *app.App, r *report.Report, html bool) error {
	switch {
	case html:
		return r.HTML(c.Out)
	case c.JSON && !c.JsonLines:
		return r.JSON(c.Out)
	case c.JSON:
		var indented, line bytes.Buffer
		if err := r.JSON(&indented); err != nil {
			return err
		}
		if err := json.Compact(&line, indented.Bytes()); err != nil {
			return err
		}
		fmt.Fprintln(c.Out, line.String())
		return nil
	}
	return r.Markdown(c.Out)
}

// onFigures opens the figures of usage for one command.
func onFigures(ctx context.Context, c *app.App, run func(*workspace.Parts, memory.MetricStore) error) error {
	return workspace.OnJournal(ctx, c, func(p *workspace.Parts) error { // a report of nothing would say that nothing was asked
		store, ok := p.Memory.(memory.MetricStore)
		if !ok {
			return app.Failure("Set memory.enabled to true.", errors.New("no figures are kept while memory is switched off"))
		}
		return run(p, store)
	})
}
