package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/memory/convlog"
	"github.com/spf13/cobra"
)

// usualLogs is how many conversations are listed when nobody says how many.
const usualLogs = 50

// logFlags choose conversations, and what is printed of one.
type logFlags struct {
	date, month, from, to string
	today                 bool
	search                string
	limit                 int
	one                   logView
}

// A logView is what is printed of one conversation, and where.
type logView struct {
	lines, format, output string
	answer                bool
}

// LogsCommand lists, searches and prints what was asked and answered.
func LogsCommand(c *app.App) *cobra.Command {
	f := &logFlags{}
	cmd := &cobra.Command{
		Use:   "logs [name or id]",
		Short: "List, search and print conversations",
		Long: `List, search and print what was asked and answered: every question of editors, agents and the command line, with
each phase that it went through. The files are Markdown, without secrets, below logging.conversations.path; they are
compressed after 7 days and deleted after 90 (logging.conversations.retention_days).

With a name the conversation is printed: all of it, --lines of it, only its --answer, or with --format json or --output FILE
a copy for other programs.`,
		Example: `  aurora logs --today
  aurora logs --month 2025-12
  aurora logs --search oauth --from 2025-12-01 --to 2025-12-13
  aurora logs oauth-authentication-2025-12-13 --answer
  aurora logs 2025/12/oauth-authentication-2025-12-13.md --lines 45-78
  aurora logs aurora-20251213-143215-abc123 --format json --output conversation.json`,
		Args: app.UsageArgs(cobra.MaximumNArgs(1)),
		RunE: onLogs(c, func(ctx context.Context, b *convlog.Book, args []string) error {
			if len(args) == 1 {
				return printLog(ctx, c, b, args[0], &f.one)
			}
			return f.list(ctx, c, b)
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.search, "search", "", "print the sections that have all of these words")
	flags.BoolVar(&f.today, "today", false, "only today's")
	flags.StringVar(&f.date, "date", "", "only those of a day, such as 2025-12-13")
	flags.StringVar(&f.month, "month", "", "only those of a month or a year, such as 2025-12")
	flags.StringVar(&f.from, "from", "", "the first day, such as 2025-12-01")
	flags.StringVar(&f.to, "to", "", "the last day")
	flags.IntVar(&f.limit, "limit", usualLogs, "how many at most, the latest first; 0 for all")
	flags.StringVar(&f.one.lines, "lines", "", "of one conversation only these lines, such as 45-78")
	flags.BoolVar(&f.one.answer, "answer", false, "of one conversation only the question and the answer, as they were shown")
	flags.StringVar(&f.one.format, "format", "markdown", "of one conversation: markdown or json")
	flags.StringVarP(&f.one.output, "output", "o", "", "the file to write a conversation to, which must not exist")
	app.CompleteFlag(cmd, "format", "markdown", "json")
	cmd.MarkFlagsMutuallyExclusive("date", "month", "today")
	cmd.MarkFlagsMutuallyExclusive("lines", "answer", "output")
	return cmd
}

// list lists conversations, or prints the sections that a search found in them.
func (f *logFlags) list(ctx context.Context, c *app.App, b *convlog.Book) error {
	if f.one != (logView{format: "markdown"}) {
		return app.UsageError("Name one; aurora logss them.", "--lines, --answer, --format and --output need a conversation")
	}
	span, err := f.span(c.Now())
	if err != nil {
		return err
	}
	if f.search == "" {
		return listLogs(ctx, c, b, span, f.limit)
	}
	if f.limit < 0 {
		return app.UsageError("", "--limit must be at least 0 (got %d)", f.limit)
	}
	matches, err := b.Search(ctx, f.search, span, cmp.Or(f.limit, math.MaxInt32))
	if err != nil {
		return err
	}
	return printLogMatches(c, f.search, matches)
}

// onLogs adapts a command that works on the folder of conversations, whether any are written at present or not.
func onLogs(c *app.App, run func(ctx context.Context, b *convlog.Book, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p := &workspace.Parts{}
		if err := workspace.LoadSettings(c, p, workspace.Wiring{}); err != nil {
			return err
		}
		for _, w := range p.Warnings {
			c.Warn(w)
		}
		if p.Settings.Logging.Conversations.Path == "" {
			return app.Failure("Set logging.conversations.path.", errors.New("there is no folder for conversations"))
		}
		book, err := workspace.NewBook(p.Settings, p.Encryption(), c.Now)
		if err != nil {
			return err
		}
		err = run(cmd.Context(), book, args)
		if errors.Is(err, atrest.ErrNoKey) || errors.Is(err, atrest.ErrWrongKey) {
			return app.Failure("See where the key is looked for: aurora mem encryption", err)
		}
		if errors.Is(err, convlog.ErrNotFound) {
			return &app.Exit{Code: app.ExitNothing, Err: err, Remedy: "aurora logs shows the names; the path of a file and the id of a query do, too."}
		}
		return err
	}
}

// span is the time that the flags name.
func (f *logFlags) span(now time.Time) (convlog.Span, error) {
	switch {
	case f.today:
		return convlog.Span{From: now, To: now}, nil
	case f.date != "":
		day, err := parseDay("--date", f.date)
		return convlog.Span{From: day, To: day}, err
	case f.month != "":
		return parsePeriod(f.month)
	}
	span := convlog.Span{}
	var err error
	if f.from != "" {
		if span.From, err = parseDay("--from", f.from); err != nil {
			return span, err
		}
	}
	if f.to != "" {
		if span.To, err = parseDay("--to", f.to); err != nil {
			return span, err
		}
	}
	if !span.From.IsZero() && !span.To.IsZero() && span.To.Before(span.From) {
		return span, app.UsageError("", "--from %s lies after --to %s", f.from, f.to)
	}
	return span, nil
}

func parseDay(flag, s string) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return time.Time{}, app.UsageError("Write it as in 2025-12-13.", "%s must be a day (got %q)", flag, s)
	}
	return day, nil
}

// parsePeriod reads a year or a month.
func parsePeriod(s string) (convlog.Span, error) {
	if month, err := time.Parse("2006-01", s); err == nil {
		return convlog.Span{From: month, To: month.AddDate(0, 1, -1)}, nil
	}
	if year, err := time.Parse("2006", s); err == nil {
		return convlog.Span{From: year, To: year.AddDate(1, 0, -1)}, nil
	}
	return convlog.Span{}, app.UsageError("Write it as in 2025-12.", "not a year and month: %q", s)
}

// printLog prints one conversation, or a part of it.
func printLog(ctx context.Context, c *app.App, b *convlog.Book, name string, v *logView) error {
	file, err := b.Find(ctx, name)
	if err != nil {
		return err
	}
	switch {
	case v.answer:
		return printLogAnswer(c, b, file)
	case v.lines != "":
		return printLogLines(c, b, file, v.lines)
	case c.JSON || v.output != "" || v.format != "markdown":
		text, err := exportedLog(c, b, file, v.format)
		if err != nil {
			return err
		}
		return writeExport(c, v.output, text)
	}
	text, err := b.Text(file, maxShownLog)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.Out, strings.TrimRight(display.CleanLines(text), "\n"))
	return nil
}

// logLines are lines of a conversation.
type logLines struct {
	File string `json:"file"`
	Text string `json:"text"`
}

func printLogLines(c *app.App, b *convlog.Book, file convlog.File, lines string) error {
	text, err := b.Text(file, maxShownLog)
	if err != nil {
		return err
	}
	if text, err = cutLines(text, lines); err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(logLines{File: file.Name, Text: text})
	}
	fmt.Fprintln(c.Out, strings.TrimRight(display.CleanLines(text), "\n"))
	return nil
}

// maxShownLog is the most bytes of a conversation that are printed.
const maxShownLog = 64 << 20

var lineRange = lazyregexp.New(`^(\d{1,9})(?:-(\d{1,9}))?$`)

// cutLines returns the lines that a range such as 45-78 names, one-based.
func cutLines(text, wanted string) (string, error) {
	m := lineRange.FindStringSubmatch(wanted)
	if m == nil {
		return "", app.UsageError("Write it as in 45-78.", "--lines must be one or two numbers (got %q)", wanted)
	}
	var from, to int
	fmt.Sscan(m[1], &from) // digits
	to = from
	if m[2] != "" {
		fmt.Sscan(m[2], &to)
	}
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if from < 1 || from > len(all) || to < from {
		return "", app.UsageError("", "the conversation has the lines 1 to %d (asked for %s)", len(all), wanted)
	}
	return strings.Join(all[from-1:min(to, len(all))], "\n"), nil
}
