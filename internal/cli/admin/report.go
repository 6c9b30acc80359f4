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
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/spf13/cobra"
)

// reportTable is a table of figures by its name in --by.
type reportTable func(ctx context.Context, c *app.App) error

var (
	reportKinds  = map[string]report.Kind{"day": report.Daily, "month": report.Monthly, "total": report.Cumulative}
	reportTables = map[string]reportTable{"savings": reportSavings, "trend": reportTrend, "providers": reportProviders, "languages": reportLanguages}
	reportNames  = []string{"day", "month", "total", "savings", "trend", "providers", "languages"}
)

// ReportCommand makes reports of the figures of usage.
func ReportCommand(c *app.App) *cobra.Command {
	f := &reportFlags{}
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Report usage, cost and learning",
		Long: `Report what AURORA was asked, what it cost, how often no model was needed, how well the scores of answers agree
with your ratings, and how memory grows. With --by day, month or total a report is printed, and written as Markdown, JSON and
a page with charts below ~/.aurora/reports. The other values print one table: savings compares the tokens of tasks without and
with AURORA, trend their mean by day, providers how often the snippets of each provider were cited, languages what is indexed.

The figures are kept in memory's database: times, counts and costs, no text of any question or answer. Nothing is sent
anywhere. The settings metrics.enabled and reporting switch this off. A day is a day of your calendar.`,
		Example: "  aurora report\n  aurora report --date 2025-12-11 --json\n  aurora report --by month --month 2025-11\n  aurora report --by savings",
		Args:    app.NoSuchCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runReport(cmd, c, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.by, "by", "day", strings.Join(reportNames, ", "))
	flags.StringVar(&f.date, "date", "", "the day, such as 2025-12-11 (default: today)")
	flags.StringVar(&f.month, "month", "", "the month, such as 2025-11 (default: this one)")
	flags.StringVar(&f.output, "output", "", "folder to write to (default: below the setting reporting.dir)")
	flags.BoolVar(&f.html, "html", false, "print the page with charts")
	flags.BoolVar(&f.noFile, "no-file", false, "only print")
	_ = cmd.MarkFlagDirname("output")
	app.CompleteFlag(cmd, "by", reportNames...)
	cmd.MarkFlagsMutuallyExclusive("output", "no-file")
	cmd.MarkFlagsMutuallyExclusive("date", "month")
	cmd.AddCommand(reportNoteCommand(c))
	return cmd
}

// reportFlags are the flags of a report.
type reportFlags struct {
	by, date, month string
	output          string
	html            bool
	noFile          bool
}

func runReport(cmd *cobra.Command, c *app.App, f *reportFlags) error {
	if f.month != "" && !cmd.Flags().Changed("by") {
		f.by = "month"
	}
	if table, ok := reportTables[f.by]; ok {
		for _, flag := range []string{"date", "month", "output", "html", "no-file"} {
			if cmd.Flags().Changed(flag) {
				return app.UsageError("Use it with --by day, month or total.", "--%s does not go with --by %s", flag, f.by)
			}
		}
		return table(cmd.Context(), c)
	}
	kind, ok := reportKinds[f.by]
	if !ok {
		return app.UsageError("", "--by must be one of %s (got %q)", strings.Join(reportNames, ", "), f.by)
	}
	if f.date != "" && kind != report.Daily || f.month != "" && kind != report.Monthly {
		return app.UsageError("", "--date goes with --by day, --month with --by month")
	}
	return makeReport(cmd.Context(), c, kind, f)
}

func makeReport(ctx context.Context, c *app.App, kind report.Kind, f *reportFlags) error {
	period, err := reportPeriod(c, kind, f.date+f.month)
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
			fmt.Fprintf(c.Err, "aurora: written to %s\n", display.Clean(strings.Join(paths, ", ")))
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
	case c.JSON && !c.JSONLines:
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
