package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/eval"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/spf13/cobra"
)

// reasoningFlags say what "bench reasoning" measures.
type reasoningFlags struct {
	questions []string
	ways      []string
	save      string
	limitUSD  float64
}

func (c *cli) benchReasoningCommand() *cobra.Command {
	f := &reasoningFlags{}
	cmd := &cobra.Command{
		Use:   "reasoning --questions <file>...",
		Short: "Measure on your model whether planning and verification pay",
		Long: `Put questions with known answers about this project to the configured model in several ways, and print for each
how many answers are right, how far the confidence can be relied on, how many wrong answers were flagged, and what it
cost. Ways: index (no model), direct (one call), soar (all phases), soar-unverified (all phases, checked by code alone),
and, when you name it, auto (as without --mode). Where tiers route questions to several models, it prints what that saves.

A file of questions has the JSON lines of "aurora eval answers"; what has to be in the first paragraph may be anywhere
in a model's answer. r is the correlation of confidence and correctness, ECE the expected calibration error. Flagged
is an answer with a confidence below 0.7, or one that was refused. Memory is neither asked nor written, and no reply
comes from the cache. Models that cost money are asked for money: --limit-usd ends the run.`,
		Example: `  aurora bench reasoning --questions testdata/bench/reasoning.jsonl
  aurora bench reasoning --questions set.jsonl --ways direct,soar --limit-usd 2 --save run.json`,
		Args: usageArgs(cobra.NoArgs),
		RunE: c.onIndex(func(ctx context.Context, s *session, _ []string) error { return c.benchReasoning(ctx, s, f) }),
	}
	var names []string
	for _, w := range eval.Ways {
		names = append(names, w.Name)
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.questions, "questions", nil, "a file of questions; may be given several times")
	flags.StringSliceVar(&f.ways, "ways", names[:eval.UsualWays], "ways to compare")
	flags.Float64Var(&f.limitUSD, "limit-usd", 0, "stop when so many US dollars are spent; 0 for no limit of its own")
	flags.StringVar(&f.save, "save", "", "write every answer to this file")
	_ = cmd.MarkFlagRequired("questions")
	completeList(cmd, "ways", names...)
	return cmd
}

// waysOf returns the ways of these names.
func waysOf(names []string) ([]eval.Way, error) {
	var ways []eval.Way
	for _, name := range names {
		at := slices.IndexFunc(eval.Ways, func(w eval.Way) bool { return w.Name == name })
		if at < 0 {
			return nil, usageError("Known are: index, direct, soar, soar-unverified, auto", "unknown way %q", name)
		}
		ways = append(ways, eval.Ways[at])
	}
	return ways, nil
}

func (c *cli) benchReasoning(ctx context.Context, s *session, f *reasoningFlags) error {
	ways, err := waysOf(f.ways)
	if err != nil {
		return err
	}
	if f.limitUSD < 0 || math.IsNaN(f.limitUSD) {
		return usageError("", "--limit-usd must not be negative")
	}
	questions, _, err := eval.LoadQuestions(f.questions...)
	if err != nil {
		return failure(`Each line must be JSON such as {"id": "1", "kind": "fact", "question": "who calls F?", "has": ["G"]}.`, err)
	}
	plain, modelled, err := c.askers(s)
	if err != nil {
		return err
	}
	defer plain.Close()
	defer modelled.Close()
	done, total := 0, len(questions)*len(ways)
	run, err := eval.Reason(ctx, questions, ways, f.limitUSD,
		func(w eval.Way) eval.Asker {
			if w.Name == "index" {
				return plain
			}
			return modelled
		},
		func(r eval.Reasoned) {
			done++
			if c.errTTY || c.verbose > 0 {
				fmt.Fprintf(c.err, "%d of %d: %s %s: %s\n", done, total, r.Way, display.Clean(r.ID), verdict(&r))
			}
		})
	if err != nil {
		return err
	}
	run.Model = s.settings.LLM.Model
	if f.save != "" {
		if err := run.Save(f.save); err != nil {
			return failure("Name a file in a folder that exists and can be written.", err)
		}
	}
	return c.printReasoning(run)
}

// askers are engines over the session's index without memory: an answer that one way remembers would help the next.
func (c *cli) askers(s *session) (plain, modelled *engine.Engine, err error) {
	tracker := setup.Budget(s.settings, c.now)
	models, _, err := setup.Models(s.settings, tracker, 0)
	if err != nil {
		return nil, nil, failure("Run: aurora doctor --llm", err)
	}
	if models == nil {
		return nil, nil, failure("Configure llm.model (docs/engine.md), or try it: aurora dev llm", fmt.Errorf("bench reasoning needs a model, and none is configured"))
	}
	o := engine.Options{Index: s.index, Log: s.log, Now: c.now, Tuning: setup.Tuning(s.settings), Budget: tracker, MaxQuery: s.settings.Guardrails.MaxQueryLength}
	plain = engine.New(o)
	o.Models = models
	return plain, engine.New(o), nil
}

func verdict(r *eval.Reasoned) string {
	switch {
	case r.Refused != "":
		return "refused"
	case r.Right():
		return fmt.Sprintf("right (%.2f)", r.Confidence)
	}
	return fmt.Sprintf("wrong (%.2f): %s", r.Confidence, strings.Join(r.Faults, "; "))
}

// A wayResult is what "bench reasoning --json" prints for a way.
type wayResult struct {
	Way              string        `json:"way"`
	Accuracy         eval.Accuracy `json:"accuracy"`
	Correlation      *float64      `json:"confidence_correlation"`
	CalibrationError *float64      `json:"calibration_error"`
	Caught           eval.Accuracy `json:"wrong_flagged"`
	Alarms           eval.Accuracy `json:"right_flagged"`
	USD              float64       `json:"usd"`
	AtBestUSD        float64       `json:"usd_at_best_tier"`
	Tokens           int           `json:"tokens"`
	Calls            int           `json:"calls"`
	Latency          eval.Latency  `json:"latency_ms"`
}

func (c *cli) printReasoning(run *eval.ReasoningRun) error {
	reports := run.Report()
	if c.json {
		results := []wayResult{}
		for _, w := range reports {
			results = append(results, wayResult{
				w.Way, w.Accuracy, known(w.Correlation), known(w.CalibrationError), w.Caught, w.Alarms, w.USD, w.AtBestUSD, w.Tokens, w.Calls, w.Latency,
			})
		}
		return cmp.Or(c.printJSON(map[string]any{"model": run.Model, "ways": results, "answers": run.Answers, "stopped": run.Stopped}), stopped(run))
	}
	if len(reports) == 0 {
		return cmp.Or(stopped(run), error(errNothing))
	}
	t := display.Table{Columns: []display.Column{
		{Title: "Way", Left: true, Min: 8, Keep: 9}, {Title: "Right", Keep: 9}, {Title: "r", Keep: 6}, {Title: "ECE", Keep: 6}, {Title: "Wrong flagged", Keep: 7},
		{Title: "Right flagged", Keep: 7}, {Title: "USD", Keep: 8}, {Title: "Tokens", Keep: 5}, {Title: "Calls", Keep: 5}, {Title: "p50 ms", Keep: 6}, {Title: "p95 ms", Keep: 4},
	}}
	for _, w := range reports {
		t.Rows = append(t.Rows, []string{
			w.Way, shareOf(w.Accuracy), number2(w.Correlation), number2(w.CalibrationError), shareOf(w.Caught), shareOf(w.Alarms),
			fmt.Sprintf("%.4f", w.USD), fmt.Sprint(w.Tokens), fmt.Sprint(w.Calls), fmt.Sprintf("%.0f", w.Latency.P50), fmt.Sprintf("%.0f", w.Latency.P95),
		})
	}
	notes := append(c.printTable(t), "model: "+display.Clean(run.Model))
	c.notes(append(notes, savings(reports)...))
	return stopped(run)
}

// savings say what routing by tier saved in each way in which it did (RTE-010).
func savings(reports []eval.WayReport) []string {
	var out []string
	for _, w := range reports {
		if saved := w.AtBestUSD - w.USD; saved > 1e-9 && w.AtBestUSD > 0 {
			out = append(out, fmt.Sprintf("%s: routing by tier saved %.0f %% of $%.4f, which the best tier alone would have taken", w.Way, 100*saved/w.AtBestUSD, w.AtBestUSD))
		}
	}
	return out
}

// stopped is the error of a run that did not ask everything.
func stopped(run *eval.ReasoningRun) error {
	if run.Stopped == "" {
		return nil
	}
	return failure("", fmt.Errorf("stopped before the end: %s", display.Clean(run.Stopped)))
}

func shareOf(a eval.Accuracy) string { return fmt.Sprintf("%d/%d", a.Right, a.Asked) }

// known is a figure for JSON, which has no NaN.
func known(f float64) *float64 {
	if math.IsNaN(f) {
		return nil
	}
	return &f
}

func number2(f float64) string {
	if math.IsNaN(f) {
		return "-"
	}
	return fmt.Sprintf("%.2f", f)
}
