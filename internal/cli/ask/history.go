package ask

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/reason"
	"github.com/aurora-sidecar/aurora/engine/reason/replay"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/show"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/spf13/cobra"
)

// HistoryCommand shows what became of questions.
func HistoryCommand(c *app.App) *cobra.Command {
	p, again := &api.HistoryParams{}, false
	cmd := &cobra.Command{
		Use:   "history [id]",
		Short: "Show questions that were asked, or replay one",
		Long: `Show the questions that were asked, of all projects, or one of them: its phases, passes, calls with the hashes of their
prompts, times and costs. An id may be shortened to its last four or more characters; last is the newest one.

--replay runs the phases of a question again on what was recorded: no model and no agent is asked, nothing is spent or
remembered. It fails when the outcome differs, which means that AURORA has changed.

The newest 200 are kept in the journal in ~/.aurora/memory.db (history.keep); history.enabled switches it off.`,
		Example: "  aurora history --search retry\n  aurora history last\n  aurora history last --replay",
		Args:    app.UsageArgs(cobra.MaximumNArgs(1)),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completeQuestions(c, cmd, args, typed)
		},
		RunE: onHistory(c, func(ctx context.Context, m *workspace.Answers, args []string) error {
			switch {
			case len(args) == 0 && again:
				return app.UsageError("Name one, such as: aurora history last --replay", "missing id of the question to replay")
			case len(args) == 0:
				return listHistory(ctx, c, m, p)
			case again:
				return playAgain(ctx, c, m, args[0])
			}
			return showQuestion(ctx, c, m, args[0])
		}),
	}
	cmd.Flags().StringVar(&p.Search, "search", "", "only questions with these words")
	cmd.Flags().IntVar(&p.Limit, "limit", 20, "most questions")
	cmd.Flags().StringVar(&p.ConversationID, "conversation", "", "only those of a conversation, by its id")
	cmd.Flags().BoolVar(&again, "replay", false, "run the question again on what was recorded")
	return cmd
}

func showQuestion(ctx context.Context, c *app.App, m *workspace.Answers, id string) error {
	r, err := recordOf(ctx, m, id)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(r)
	}
	printRecord(c, r)
	return nil
}

// recordOf is all that is known of a question.
func recordOf(ctx context.Context, m *workspace.Answers, id string) (*replay.Record, error) {
	result, err := api.History.Call(ctx, m.Client, &api.HistoryParams{QueryID: id})
	if err != nil {
		return nil, err
	}
	r := &replay.Record{}
	if err := json.Unmarshal(result.Record, r); err != nil {
		return nil, fmt.Errorf("read the record of %s: %w", id, err)
	}
	return r, nil
}

// onHistory adapts a command about what was asked.
func onHistory(c *app.App, run func(context.Context, *workspace.Answers, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		m, err := workspace.OpenMemory(cmd.Context(), c)
		if err != nil {
			return err
		}
		defer m.Close()
		if !m.Settings.History.Enabled {
			return app.Failure("Set history.enabled to true.", errors.New("no history is kept"))
		}
		return run(cmd.Context(), m, args)
	}
}

func listHistory(ctx context.Context, c *app.App, m *workspace.Answers, p *api.HistoryParams) error {
	list, err := api.History.Call(ctx, m.Client, p)
	if err != nil {
		return err
	}
	if list.Damaged > 0 {
		c.Warn(display.Count(list.Damaged, "record") + " in the history can't be read")
	}
	if c.JSON {
		return app.Found(len(list.Queries), c.PrintJSON(list.Queries))
	}
	if len(list.Queries) == 0 {
		c.Wrapped("", "No question is in the history.")
		return app.ErrNothing
	}
	table := display.Table{Columns: []display.Column{
		{Title: "Id"}, {Title: "Asked"}, {Title: "Complexity"}, {Title: "Score"}, {Title: "Calls"}, {Title: "Cost"}, {Title: "Question", Min: 12, Left: true},
	}}
	for _, e := range list.Queries {
		table.Rows = append(table.Rows, []string{
			e.QueryID, display.Ago(api.Time(e.AskedAt), c.Now()), cmp.Or(e.Complexity, "-"), scoreCell(&e), fmt.Sprint(e.Calls), fmt.Sprintf("$%.4f", e.USD), display.Clean(show.OneLineOf(e.Query)),
		})
	}
	c.Notes(c.PrintTable(table))
	return nil
}

func scoreCell(e *api.HistoryEntry) string {
	switch {
	case e.Error != "":
		return "failed"
	case e.OverallScore == nil:
		return "-"
	}
	return fmt.Sprintf("%.2f", *e.OverallScore)
}

// printRecord prints a question as a person reads it.
func printRecord(c *app.App, r *replay.Record) {
	line := func(label, format string, args ...any) {
		c.Hanging(fmt.Sprintf("%-12s%s", label+":", display.Clean(fmt.Sprintf(format, args...))), 12)
	}
	line("Question", "%s", r.Question)
	line("Id", "%s", r.ID)
	line("Asked", "%s, %s", r.Asked.Local().Format(time.DateTime), display.Ago(r.Asked, c.Now()))
	line("Complexity", "%s", cmp.Or(r.Complexity, "unknown"))
	if r.Calls > 0 {
		line("Models", "%s by %s, %d tokens, $%.4f", display.Count(r.Calls, "call"), r.Model, r.Tokens, r.USD)
	}
	switch {
	case r.Error != "":
		line("Failed", "%s", r.Error)
	case r.Score != nil:
		line("Score", "%.2f, %s", *r.Score, map[bool]string{true: "verified", false: "not verified"}[r.Verified])
	}
	line("Took", "%s", r.Total.Round(time.Millisecond))
	printPhases(c, r)
	printPasses(c, r)
	printCalls(c, r)
	fmt.Fprintf(c.Out, "\n%s\n", strings.TrimSpace(display.CleanLines(r.Answer)))
	for i, cited := range r.Citations {
		if i == 0 {
			fmt.Fprintln(c.Out, "\nSources:")
		}
		place := cited.ID
		if cited.Path != "" {
			place = fmt.Sprintf("%s:%d", cited.Path, cited.Line)
		}
		source(c, i, display.Clean(place), cited.Name)
	}
}

func printPhases(c *app.App, r *replay.Record) {
	fmt.Fprintln(c.Out)
	table := display.Table{Columns: []display.Column{{Title: "Phase"}, {Title: "Status"}, {Title: "Time"}, {Title: "Share"}, {Title: "Detail", Min: 10, Left: true}}}
	for _, p := range r.Phases {
		table.Rows = append(table.Rows, []string{
			p.Name, p.Status, p.Duration.Round(10 * time.Microsecond).String(), fmt.Sprintf("%.1f%%", p.Percentage), display.Clean(p.Detail),
		})
	}
	c.Notes(c.PrintTable(table))
}

// printPasses tells what was judged and changed from pass to pass.
func printPasses(c *app.App, r *replay.Record) {
	if len(r.History) == 0 || r.History[0].Profile == nil {
		return
	}
	fmt.Fprintln(c.Out)
	for _, p := range r.History {
		c.Wrapped("", display.Clean(fmt.Sprintf("Pass %d: score %.2f, %d of %d calls; %s", p.Number, p.Score, p.Used, p.TTL, p.Ended)))
		if j := p.Convergence; j != nil {
			c.Wrapped("  ", display.Clean(fmt.Sprintf("completeness %.2f, coherence %.2f, consistency %.2f: %s", j.Completeness, j.Coherence, j.Consistency, strings.Join(j.Reasons, ", "))))
		}
		for _, a := range p.Actions {
			text := fmt.Sprintf("%s %s: %s", a.Op, a.Target, a.Reason)
			if !a.Applied {
				text += " (refused: " + a.Refused + ")"
			}
			c.Wrapped("  ", display.Clean(text))
		}
	}
}

func printCalls(c *app.App, r *replay.Record) {
	if r.Recording == nil || len(r.Recording.Calls) == 0 {
		return
	}
	fmt.Fprintln(c.Out)
	table := display.Table{Columns: []display.Column{{Title: "Call"}, {Title: "Prompt"}, {Title: "Tokens"}, {Title: "Cost"}, {Title: "At"}, {Title: "Time"}, {Title: "Outcome", Left: true, Min: 8}}}
	for _, call := range r.Recording.Calls {
		outcome := "reply"
		switch {
		case call.Fault != "":
			outcome = display.Clean(call.Error)
		case call.Cached:
			outcome = "from the cache"
		}
		table.Rows = append(table.Rows, []string{
			call.Purpose, call.Prompt[:min(len(call.Prompt), 12)], fmt.Sprintf("%d+%d", call.Usage.Prompt, call.Usage.Completion), fmt.Sprintf("$%.4f", call.USD),
			call.At.Round(time.Millisecond).String(), call.Duration.Round(time.Millisecond).String(), outcome,
		})
	}
	c.Notes(c.PrintTable(table))
}

// replay plays a question again.
func playAgain(ctx context.Context, c *app.App, m *workspace.Answers, id string) error {
	record, err := recordOf(ctx, m, id)
	if err != nil {
		return err
	}
	examples, err := setup.Examples()
	if err != nil {
		return err
	}
	played, err := reason.PlayAgain(ctx, record, examples, show.PhaseSink(c))
	if err != nil {
		return err
	}
	result := api.FromQueryResult(played.Result, show.WireEncoding)
	if c.JSON {
		if err := show.PrintAnswerJSON(c, result); err != nil && !errors.Is(err, app.ErrNothing) {
			return err
		}
	} else if err := printAnswer(c, result, false); err != nil && !errors.Is(err, app.ErrNothing) {
		return err
	}
	if len(played.Differences) > 0 {
		return app.Failure("AURORA, or its calibration examples, have changed since.", fmt.Errorf("it went otherwise than then: %s", strings.Join(played.Differences, "; ")))
	}
	if !c.JSON {
		calls := record.Recording.Calls
		missed := slices.ContainsFunc(calls, func(call soar.Call) bool { return call.Fault != "" })
		fmt.Fprintf(c.Err, "Played %s again: the same outcome%s. No model was asked.\n", display.Count(len(calls), "call"), map[bool]string{true: ", failures included"}[missed])
	}
	return nil
}
