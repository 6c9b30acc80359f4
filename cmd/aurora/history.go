package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/history"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/atrest"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/aurora-sidecar/aurora/prompts"
	"github.com/spf13/cobra"
)

// historyCommands show what became of questions.
func (c *cli) historyCommands() *cobra.Command {
	root := &cobra.Command{
		Use:   "history",
		Short: "Look at questions that were asked, and play them again",
		Long: `Look at questions that were asked, of all projects: their phases, passes, calls with the hashes of their prompts,
times and costs. A question that a model answered can be played again on what was recorded: nobody is asked and nothing
is spent. An id may be shortened to its last four or more characters; last is the newest one.

The newest 200 are kept in ~/.aurora/history (history.keep); history.enabled switches it off.`,
		Args: noSuchCommand,
		RunE: showHelp, Annotations: onlyGroups,
	}
	filter := history.Filter{}
	list := &cobra.Command{
		Use: "list [words]", Short: "List the newest questions, or those with these words", Args: cobra.ArbitraryArgs,
		RunE: c.onHistory(func(cmd *cobra.Command, s *history.Store, args []string) error {
			filter.Search = strings.Join(args, " ")
			return c.listHistory(cmd.Context(), s, filter)
		}),
	}
	list.Flags().IntVar(&filter.Limit, "limit", 20, "most questions")
	list.Flags().StringVar(&filter.Conversation, "conversation", "", "only those of a conversation, by its id")
	show := &cobra.Command{
		Use: "show <id>", Short: "Show all that is known of a question", Args: usageArgs(cobra.ExactArgs(1)), ValidArgsFunction: c.completeQuestions,
		Example: "  aurora history show last\n  aurora history show aurora-20261121-101530-k3x9qa --json",
		RunE: c.onHistory(func(_ *cobra.Command, s *history.Store, args []string) error {
			r, err := s.Load(args[0])
			if err != nil {
				return engine.HistoryError(err)
			}
			if c.json {
				return c.printJSON(r)
			}
			c.printRecord(r)
			return nil
		}),
	}
	replay := &cobra.Command{
		Use: "replay <id>", Short: "Run the phases of a question again, on what was recorded", Args: usageArgs(cobra.ExactArgs(1)), ValidArgsFunction: c.completeQuestions,
		Long: `Run the phases of a question again, on what was recorded: no model and no agent is asked, nothing is spent or
remembered. -v shows the phases. It fails when the outcome is another one than then, which means that AURORA has changed.`,
		RunE: c.onHistory(func(cmd *cobra.Command, s *history.Store, args []string) error {
			return c.replay(cmd.Context(), s, args[0])
		}),
	}
	root.AddCommand(list, show, replay)
	return root
}

// historyDir is the folder of questions, "" without a home.
func historyDir() string { return config.InHome("history") }

// openHistory returns the history that the settings name, nil when none is kept.
func openHistory(s *config.Settings, encryption atrest.Policy) *history.Store {
	if !s.History.Enabled || historyDir() == "" {
		return nil
	}
	return history.Open(historyDir(), s.History.Keep).Encrypted(encryption)
}

// onHistory adapts a command that works on the history of the user's settings.
func (c *cli) onHistory(run func(*cobra.Command, *history.Store, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p := &parts{}
		if err := c.loadSettings(p, wiring{}); err != nil {
			return err
		}
		store := openHistory(p.settings, p.encryption())
		if store == nil {
			return failure("Set history.enabled to true.", errors.New("no history is kept"))
		}
		return run(cmd, store, args)
	}
}

func (c *cli) listHistory(ctx context.Context, s *history.Store, f history.Filter) error {
	entries, damaged, err := s.List(ctx, f)
	if errors.Is(err, atrest.ErrNoKey) || errors.Is(err, atrest.ErrWrongKey) {
		return failure("aurora mem encryption status says where the key is looked for.", err)
	}
	if err != nil {
		return failure("Check history.dir.", err)
	}
	if damaged > 0 {
		c.warn(display.Count(damaged, "record") + " in the history can't be read")
	}
	if c.json {
		if entries == nil {
			entries = []history.Entry{}
		}
		return c.printJSON(entries)
	}
	if len(entries) == 0 {
		c.wrapped("", "No question is in the history.")
		return errNothing
	}
	table := display.Table{Columns: []display.Column{
		{Title: "Id"}, {Title: "Asked"}, {Title: "Complexity"}, {Title: "Score"}, {Title: "Calls"}, {Title: "Cost"}, {Title: "Question", Min: 12, Left: true},
	}}
	for _, e := range entries {
		table.Rows = append(table.Rows, []string{
			e.ID, display.Ago(e.Asked, c.now()), cmp.Or(e.Complexity, "-"), scoreCell(e), fmt.Sprint(e.Calls), fmt.Sprintf("$%.4f", e.USD), display.Clean(oneLineOf(e.Question)),
		})
	}
	c.notes(c.printTable(table))
	return nil
}

func oneLineOf(s string) string { return strings.Join(strings.Fields(s), " ") }

func scoreCell(e history.Entry) string {
	switch {
	case e.Error != "":
		return "failed"
	case e.Score == nil:
		return "-"
	}
	return fmt.Sprintf("%.2f", *e.Score)
}

// printRecord prints a question as a person reads it.
func (c *cli) printRecord(r *history.Record) {
	line := func(label, format string, args ...any) {
		c.hanging(fmt.Sprintf("%-12s%s", label+":", display.Clean(fmt.Sprintf(format, args...))), 12)
	}
	line("Question", "%s", r.Question)
	line("Id", "%s", r.ID)
	line("Asked", "%s, %s", r.Asked.Local().Format(time.DateTime), display.Ago(r.Asked, c.now()))
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
	c.printPhases(r)
	c.printPasses(r)
	c.printCalls(r)
	fmt.Fprintf(c.out, "\n%s\n", strings.TrimSpace(display.CleanLines(r.Answer)))
	for i, source := range r.Citations {
		if i == 0 {
			fmt.Fprintln(c.out, "\nSources:")
		}
		place := source.ID
		if source.Path != "" {
			place = fmt.Sprintf("%s:%d", source.Path, source.Line)
		}
		c.source(i, display.Clean(place), source.Name)
	}
}

func (c *cli) printPhases(r *history.Record) {
	fmt.Fprintln(c.out)
	table := display.Table{Columns: []display.Column{{Title: "Phase"}, {Title: "Status"}, {Title: "Time"}, {Title: "Share"}, {Title: "Detail", Min: 10, Left: true}}}
	for _, p := range r.Phases {
		table.Rows = append(table.Rows, []string{
			p.Name, p.Status, p.Duration.Round(10 * time.Microsecond).String(), fmt.Sprintf("%.1f%%", p.Percentage), display.Clean(p.Detail),
		})
	}
	c.notes(c.printTable(table))
}

// printPasses tells what was judged and changed from pass to pass.
func (c *cli) printPasses(r *history.Record) {
	if len(r.History) == 0 || r.History[0].Profile == nil {
		return
	}
	fmt.Fprintln(c.out)
	for _, p := range r.History {
		c.wrapped("", display.Clean(fmt.Sprintf("Pass %d: score %.2f, %d of %d calls; %s", p.Number, p.Score, p.Used, p.TTL, p.Ended)))
		if j := p.Convergence; j != nil {
			c.wrapped("  ", display.Clean(fmt.Sprintf("completeness %.2f, coherence %.2f, consistency %.2f: %s", j.Completeness, j.Coherence, j.Consistency, strings.Join(j.Reasons, ", "))))
		}
		for _, a := range p.Actions {
			text := fmt.Sprintf("%s %s: %s", a.Op, a.Target, a.Reason)
			if !a.Applied {
				text += " (refused: " + a.Refused + ")"
			}
			c.wrapped("  ", display.Clean(text))
		}
	}
}

func (c *cli) printCalls(r *history.Record) {
	if r.Recording == nil || len(r.Recording.Calls) == 0 {
		return
	}
	fmt.Fprintln(c.out)
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
	c.notes(c.printTable(table))
}

// replay plays a question again.
func (c *cli) replay(ctx context.Context, s *history.Store, id string) error {
	record, err := s.Load(id)
	if err != nil {
		return engine.HistoryError(err)
	}
	examples, _, err := prompts.LoadExamples(setup.ExampleOptions())
	if err != nil {
		return err
	}
	played, err := engine.PlayAgain(ctx, record, examples, c.phaseSink())
	if err != nil {
		return err
	}
	if c.json {
		if err := c.printAnswerJSON(played.Result); err != nil && !errors.Is(err, errNothing) {
			return err
		}
	} else if err := c.printAnswer(played.Result, false); err != nil && !errors.Is(err, errNothing) {
		return err
	}
	if len(played.Differences) > 0 {
		return failure("AURORA, or its calibration examples, have changed since.", fmt.Errorf("it went otherwise than then: %s", strings.Join(played.Differences, "; ")))
	}
	if !c.json {
		calls := record.Recording.Calls
		missed := slices.ContainsFunc(calls, func(call soar.Call) bool { return call.Fault != "" })
		fmt.Fprintf(c.err, "Played %s again: the same outcome%s. No model was asked.\n", display.Count(len(calls), "call"), map[bool]string{true: ", failures included"}[missed])
	}
	return nil
}
