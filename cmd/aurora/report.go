package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/report"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/spf13/cobra"
)

// reportCommands make reports of the figures of usage (MET-017).
func (c *cli) reportCommands() *cobra.Command {
	root := &cobra.Command{
		Use:   "report",
		Short: "Report what AURORA was asked, what it cost and how it learns",
		Long: `Report what AURORA was asked, what it cost, how often no model was needed, how well the scores of answers agree
with your ratings, and how memory grows. A report is printed, and written as Markdown, JSON and a page with charts below
~/.aurora/reports. The figures are kept in memory's database: times, counts and costs, no text of any question or answer.
Nothing is sent anywhere. The settings metrics.enabled and reporting switch this off.

A day is the day of your calendar when something was asked.`,
		Args: noSuchCommand,
		RunE: showHelp, Annotations: onlyGroups,
	}
	root.AddCommand(c.reportCommand(report.Daily), c.reportCommand(report.Cumulative), c.reportCommand(report.Monthly))
	root.AddCommand(c.reportTables()...)
	root.AddCommand(c.reportNoteCommand())
	return root
}

// reportFlags are the flags of a report.
type reportFlags struct {
	period string // a date or a month
	output string
	html   bool
	noFile bool
}

func (c *cli) reportCommand(kind report.Kind) *cobra.Command {
	f := &reportFlags{}
	cmd := &cobra.Command{
		Use:  string(kind),
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.makeReport(cmd.Context(), kind, f) },
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

func (c *cli) makeReport(ctx context.Context, kind report.Kind, f *reportFlags) error {
	period, err := c.reportPeriod(kind, f.period)
	if err != nil {
		return err
	}
	return c.onFigures(ctx, func(p *parts, store memory.MetricStore) error {
		r, err := report.Make(ctx, store, period, c.now())
		if err != nil {
			return failure("Run: aurora doctor", err)
		}
		if err := c.printReport(r, f.html); err != nil {
			return err
		}
		folder := f.output
		if folder == "" {
			folder = p.reportFolder(kind)
		}
		if f.noFile || folder == "" {
			return nil
		}
		paths, err := r.Save(folder)
		if err != nil {
			return failure("Choose another folder with --output, or leave the files out with --no-file.", err)
		}
		if !c.json && !f.html {
			fmt.Fprintf(c.err, "aurora: written to %s\n", strings.Join(paths, ", "))
		}
		return nil
	})
}

func (c *cli) reportPeriod(kind report.Kind, text string) (report.Period, error) {
	var period report.Period
	var err error
	switch kind {
	case report.Daily:
		period, err = report.Day(text, c.now())
	case report.Monthly:
		period, err = report.Month(text, c.now())
	default:
		return report.AllTime(c.now()), nil
	}
	if err != nil {
		return period, usageError("", "%w", err)
	}
	return period, nil
}

func (c *cli) printReport(r *report.Report, html bool) error {
	switch {
	case html:
		return r.HTML(c.out)
	case c.json && !c.jsonLines:
		return r.JSON(c.out)
	case c.json:
		var indented, line bytes.Buffer
		if err := r.JSON(&indented); err != nil {
			return err
		}
		if err := json.Compact(&line, indented.Bytes()); err != nil {
			return err
		}
		fmt.Fprintln(c.out, line.String())
		return nil
	}
	return r.Markdown(c.out)
}

// reportFolder is where reports of a kind are written, "" for nowhere.
func (p *parts) reportFolder(kind report.Kind) string {
	if p.settings.Reporting.Dir == "" {
		return ""
	}
	return filepath.Join(p.settings.Reporting.Dir, string(kind))
}

// onFigures opens the figures of usage for one command.
func (c *cli) onFigures(ctx context.Context, run func(*parts, memory.MetricStore) error) error {
	p := &parts{}
	if err := c.loadSettings(p, wiring{}); err != nil {
		return err
	}
	c.openLog(p, wiring{})
	c.openMemoryStore(ctx, p)
	for _, w := range p.warnings {
		c.warn(w)
	}
	if err := p.memoryOpen(); err != nil { // a report of nothing would say that nothing was asked
		return errors.Join(err, p.close())
	}
	store, ok := p.memory.(memory.MetricStore)
	if !ok {
		return errors.Join(failure("Set memory.enabled to true.", errors.New("no figures are kept while memory is switched off")), p.close())
	}
	return errors.Join(run(p, store), p.close())
}
