package admin

import (
	"context"
	"errors"
	"fmt"
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

// logFlags are the flags of the commands that list conversations.
type logFlags struct {
	date, month, from, to string
	limit                 int
}

// LogsCommand lists and shows what was asked and answered.
func LogsCommand(c *app.App) *cobra.Command {
	f := &logFlags{}
	cmd := &cobra.Command{
		Use:   "logs",
		Short: "List, search, show and export what was asked and answered",
		Long: `List, search, show and export what was asked and answered: every question of editors, agents and the command line, with
each phase that it went through. The files are Markdown, without secrets, below logging.conversations.path; they are
compressed after 7 days and deleted after 90 (logging.conversations.retention_days).`,
		Example: `  aurora logs today
  aurora logs --date 2025-12-13
  aurora logs --month 2025-12
  aurora logs search oauth --from 2025-12-01 --to 2025-12-13
  aurora logs view oauth-authentication-2025-12-13 --answer`,
		Args: app.NoSuchCommand,
		RunE: onLogs(c, func(ctx context.Context, b *convlog.Book, _ []string) error {
			span, err := f.span(c.Now())
			if err != nil {
				return err
			}
			return listLogs(ctx, c, b, span, f.limit)
		}),
	}
	cmd.Flags().StringVar(&f.date, "date", "", "only those of a day, such as 2025-12-13")
	cmd.Flags().StringVar(&f.month, "month", "", "only those of a month, such as 2025-12")
	cmd.Flags().IntVar(&f.limit, "limit", usualLogs, "how many at most, the latest first; 0 for all")
	cmd.AddCommand(logsTodayCommand(c), logsListCommand(c), logsSearchCommand(c), logsViewCommand(c), logsExportCommand(c))
	return cmd
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
			return app.Failure("aurora mem encryption status says where the key is looked for.", err)
		}
		if errors.Is(err, convlog.ErrNotFound) {
			return &app.Exit{Code: app.ExitNothing, Err: err, Remedy: "aurora logs list shows the names; the path of a file and the id of a query do, too."}
		}
		return err
	}
}

func logsTodayCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "today", Short: "List the conversations of today", Args: app.UsageArgs(cobra.NoArgs),
		RunE: onLogs(c, func(ctx context.Context, b *convlog.Book, _ []string) error {
			return listLogs(ctx, c, b, convlog.Span{From: c.Now(), To: c.Now()}, 0)
		}),
	}
}

func logsListCommand(c *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "list [year[/month]]", Short: "List all conversations, or those of a month", Args: app.UsageArgs(cobra.MaximumNArgs(1)),
		Example: "  aurora logs list 2025/12",
		RunE: onLogs(c, func(ctx context.Context, b *convlog.Book, args []string) error {
			span := convlog.Span{}
			if len(args) == 1 {
				var err error
				if span, err = parsePeriod(strings.ReplaceAll(args[0], "/", "-")); err != nil {
					return err
				}
			}
			return listLogs(ctx, c, b, span, 0)
		}),
	}
}

func logsSearchCommand(c *app.App) *cobra.Command {
	f := &logFlags{}
	cmd := &cobra.Command{
		Use: "search <words>", Short: "Find the sections of conversations that have all words", Args: app.UsageArgs(cobra.MinimumNArgs(1)),
		Example: "  aurora logs search oauth --from 2025-12-01 --to 2025-12-13",
		RunE: onLogs(c, func(ctx context.Context, b *convlog.Book, args []string) error {
			span, err := f.span(c.Now())
			if err != nil {
				return err
			}
			if f.limit <= 0 {
				return app.UsageError("", "--limit must be at least 1 (got %d)", f.limit)
			}
			words := strings.Join(args, " ")
			matches, err := b.Search(ctx, words, span, f.limit)
			if err != nil {
				return err
			}
			return printLogMatches(c, words, matches)
		}),
	}
	cmd.Flags().StringVar(&f.from, "from", "", "the first day, such as 2025-12-01")
	cmd.Flags().StringVar(&f.to, "to", "", "the last day")
	cmd.Flags().IntVar(&f.limit, "limit", 20, "how many sections at most, the latest first")
	return cmd
}

// span is the time that the flags name.
func (f *logFlags) span(now time.Time) (convlog.Span, error) {
	switch {
	case f.date != "" && f.month != "":
		return convlog.Span{}, app.UsageError("Give one of them.", "--date and --month exclude each other")
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
	return convlog.Span{}, app.UsageError("Write it as in 2025-12.", "that is no year and month: %q", s)
}

// logsViewCommand prints one conversation, or a part of it.
func logsViewCommand(c *app.App) *cobra.Command {
	lines, answer := "", false
	cmd := &cobra.Command{
		Use: "view <name or id>", Short: "Print a conversation, some of its lines, or its answer", Args: app.UsageArgs(cobra.ExactArgs(1)),
		Example: "  aurora logs view oauth-authentication-2025-12-13\n  aurora logs view 2025/12/oauth-authentication-2025-12-13.md --lines 45-78",
		RunE: onLogs(c, func(ctx context.Context, b *convlog.Book, args []string) error {
			if answer && lines != "" {
				return app.UsageError("Give one of them.", "--lines and --answer exclude each other")
			}
			file, err := b.Find(ctx, args[0])
			if err != nil {
				return err
			}
			if answer {
				return printLogAnswer(c, b, file)
			}
			text, err := b.Text(file, maxShownLog)
			if err != nil {
				return err
			}
			if lines != "" {
				if text, err = cutLines(text, lines); err != nil {
					return err
				}
			}
			if c.JSON {
				return c.PrintJSON(map[string]string{"file": file.Name, "text": text})
			}
			fmt.Fprintln(c.Out, strings.TrimRight(display.CleanLines(text), "\n"))
			return nil
		}),
	}
	cmd.Flags().StringVar(&lines, "lines", "", "only these, such as 45-78")
	cmd.Flags().BoolVar(&answer, "answer", false, "only the question and the answer, as they were shown")
	return cmd
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
