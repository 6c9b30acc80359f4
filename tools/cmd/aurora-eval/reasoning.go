package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/setup"
	"github.com/aurora-sidecar/aurora/memory"
	"github.com/aurora-sidecar/aurora/memory/sqlite"
	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

// reasoningFlags say what reasoning measures.
type reasoningFlags struct {
	questions []string
	ways      []string
	save      string
	limitUSD  float64
}

func (p *program) reasoningCommand() *cobra.Command {
	f := &reasoningFlags{}
	cmd := &cobra.Command{
		Use:   "reasoning --questions <file>...",
		Short: "Measure on your model whether planning and verification pay",
		Long: `Put questions with known answers about this project to the configured model in several ways, and print for each
how many answers are right, how far the confidence can be relied on, how many wrong answers were flagged, and what it
cost. Ways: index (no model), direct (one call), soar (all phases), soar-unverified (all phases, checked by code alone),
and, when you name it, auto (as without --mode). Where tiers route questions to several models, it prints what that saves.

A file of questions has the JSON lines of "aurora-eval answers"; what has to be in the first paragraph may be anywhere
in a model's answer. r is the correlation of confidence and correctness, ECE the expected calibration error. Flagged
is an answer with a confidence below 0.7, or one that was refused. Memory is neither asked nor written, and no reply
comes from the cache. Models that cost money are asked for money: --limit-usd ends the run.`,
		Example: `  aurora-eval reasoning --questions testdata/bench/reasoning.jsonl
  aurora-eval reasoning --questions set.jsonl --ways direct,soar --limit-usd 2 --save run.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.benchReasoning(cmd.Context(), f) },
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
	return cmd
}

// waysOf returns the ways of these names.
func waysOf(names []string) ([]eval.Way, error) {
	var ways []eval.Way
	for _, name := range names {
		at := slices.IndexFunc(eval.Ways, func(w eval.Way) bool { return w.Name == name })
		if at < 0 {
			return nil, usage("unknown way %q; known are: index, direct, soar, soar-unverified, auto", name)
		}
		ways = append(ways, eval.Ways[at])
	}
	return ways, nil
}

func (p *program) benchReasoning(ctx context.Context, f *reasoningFlags) error {
	if len(f.questions) == 0 {
		return usage("reasoning needs --questions, such as: --questions testdata/bench/reasoning.jsonl")
	}
	ways, err := waysOf(f.ways)
	if err != nil {
		return err
	}
	if f.limitUSD < 0 || math.IsNaN(f.limitUSD) {
		return usage("--limit-usd must not be negative")
	}
	questions, _, err := eval.LoadQuestions(f.questions...)
	if err != nil {
		return hint(err, `Each line must be JSON such as {"id": "1", "kind": "fact", "question": "who calls F?", "has": ["G"]}.`)
	}
	project, err := p.openProject(ctx)
	if err != nil {
		return err
	}
	defer project.index.Shutdown()
	store, err := sqlite.Open(ctx, project.settings.Memory.DatabasePath, sqlite.Options{Now: p.now, Version: "eval"})
	if err != nil {
		return hint(fmt.Errorf("the cost of the models can't be recorded: %w", err), "Run: aurora doctor")
	}
	defer store.Close()
	plain, modelled, err := p.askers(project, store)
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
			if p.verbose {
				fmt.Fprintf(p.err, "%d of %d: %s %s: %s\n", done, total, r.Way, r.ID, verdict(&r))
			}
		})
	if err != nil {
		return err
	}
	run.Model = project.settings.LLM.Model
	if f.save != "" {
		if err := run.Save(f.save); err != nil {
			return hint(err, "Name a file in a folder that exists and can be written.")
		}
	}
	return p.printReasoning(run)
}

// askers are engines over the project's index, without a model and with the configured one, which keeps no replies.
func (p *program) askers(project *openedProject, costs memory.Journal) (plain, modelled *engine.Engine, err error) {
	tracker := setup.Budget(project.settings, costs, p.now)
	models, _, err := setup.Models(project.settings, tracker, 0)
	if err != nil {
		return nil, nil, hint(err, "Run: aurora doctor --llm")
	}
	if models == nil {
		return nil, nil, hint(errors.New("reasoning needs a model, and none is configured"), "Configure llm.model (docs/engine.md), or try it: aurora dev llm")
	}
	o := project.engineOptions()
	o.Now, o.Budget = p.now, tracker
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

// A wayResult is what "reasoning --json" prints for a way.
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

func (p *program) printReasoning(run *eval.ReasoningRun) error {
	reports := run.Report()
	if p.json {
		results := []wayResult{}
		for _, w := range reports {
			results = append(results, wayResult{
				w.Way, w.Accuracy, known(w.Correlation), known(w.CalibrationError), w.Caught, w.Alarms, w.USD, w.AtBestUSD, w.Tokens, w.Calls, w.Latency,
			})
		}
		return cmp.Or(p.printJSON(map[string]any{"model": run.Model, "ways": results, "answers": run.Answers, "stopped": run.Stopped}), stopped(run))
	}
	if len(reports) == 0 {
		return cmp.Or(stopped(run), errNothing)
	}
	t := table{{"Way", "Right", "r", "ECE", "Wrong flagged", "Right flagged", "USD", "Tokens", "Calls", "p50 ms", "p95 ms"}}
	for _, w := range reports {
		t.add(w.Way, shareOf(w.Accuracy), number2(w.Correlation), number2(w.CalibrationError), shareOf(w.Caught), shareOf(w.Alarms),
			fmt.Sprintf("%.4f", w.USD), fmt.Sprint(w.Tokens), fmt.Sprint(w.Calls), fmt.Sprintf("%.0f", w.Latency.P50), fmt.Sprintf("%.0f", w.Latency.P95))
	}
	p.printTable(t)
	fmt.Fprintln(p.out, "model:", run.Model)
	for _, saved := range savings(reports) {
		fmt.Fprintln(p.out, saved)
	}
	return stopped(run)
}

// savings say what routing by tier saved in each way in which it did.
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
	return fmt.Errorf("stopped before the end: %s", run.Stopped)
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
