package measure

import (
	"fmt"
	"maps"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/eval"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

// An evalResult is what "eval search --json" prints.
type evalResult struct {
	eval.Report
	Missing []string   `json:"missing,omitempty"`
	Diff    *eval.Diff `json:"diff,omitempty"`
}

// printEval prints a run's figures, and how they differ from those of an earlier one.
func printEval(c *app.App, run, before *eval.Run) error {
	result := evalResult{Report: run.Report(), Missing: run.Missing}
	if before != nil {
		diff := eval.Compare(before, run)
		result.Diff = &diff
	}
	if c.JSON {
		return c.PrintJSON(result)
	}
	c.PrintTable(evalTable(&result.Report))
	s, l := result.Silence, result.Latency
	fmt.Fprintf(c.Out, "\nSilence kept: %d of %d; wrong silences: %d\n", s.Kept, s.Expected, s.Wrong)
	fmt.Fprintf(c.Out, "Latency: p50 %.1f ms, p95 %.1f ms\n", l.P50, l.P95)
	for _, repo := range result.Missing {
		c.Warn("not measured, as it is not there: " + repo)
	}
	if result.Diff != nil {
		printDiff(c, result.Diff)
	}
	if len(run.Answers) == 0 {
		return app.ErrNothing
	}
	return nil
}

// evalTable lists the figures of all, of every category and of every language.
func evalTable(r *eval.Report) display.Table {
	t := display.Table{Columns: []display.Column{{Title: "Queries", Left: true, Min: 10, Keep: 9}, {Title: "n", Keep: 8}}}
	for i, title := range []string{"NDCG@10", "MRR@10", "P@5", "R@1", "R@5", "R@10", "R 500t", "R 1000t", "R 2000t"} {
		t.Columns = append(t.Columns, display.Column{Title: title, Keep: 7 - i/2})
	}
	t.Rows = append(t.Rows, evalRow("all", r.All.Queries, r.All.Metrics))
	if r.All.Repositories > 1 {
		t.Rows = append(t.Rows, evalRow("all, mean over queries", r.All.Queries, r.PerQuery))
	}
	for _, groups := range []struct {
		label string
		of    map[string]eval.Group
	}{{"category ", r.Categories}, {"language ", r.Languages}} {
		for _, name := range slices.Sorted(maps.Keys(groups.of)) {
			t.Rows = append(t.Rows, evalRow(groups.label+display.Clean(name), groups.of[name].Queries, groups.of[name].Metrics))
		}
	}
	return t
}

func evalRow(label string, n int, m eval.Metrics) []string {
	row := []string{label, fmt.Sprint(n)}
	for _, x := range []float64{
		m.NDCG, m.MRR, m.Precision5, m.Recall1, m.Recall5, m.Recall10, m.Recall500, m.Recall1000, m.Recall2000,
	} {
		row = append(row, fmt.Sprintf("%.3f", x))
	}
	return row
}

// printDiff lists every query whose figure changed.
func printDiff(c *app.App, d *eval.Diff) {
	fmt.Fprintf(c.Out, "\nAgainst the saved run: %.4f before, %.4f now, over %s; %d better, %d worse\n",
		d.Before, d.After, count(d.Queries, "query", "queries"), len(d.Better), len(d.Worse))
	for _, list := range []struct {
		sign    string
		changes []eval.Change
	}{{"+", d.Better}, {"-", d.Worse}} {
		for _, ch := range list.changes {
			fmt.Fprintf(c.Out, "  %s %.3f -> %.3f  %s  %s\n", list.sign, ch.Before, ch.After, display.Clean(ch.ID), display.Cut(display.Clean(ch.Query), 80))
		}
	}
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
