package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/aurora-sidecar/aurora/tools/eval"
)

// A searchResult is what "search --json" prints.
type searchResult struct {
	eval.Report
	Reference *eval.Group `json:"reference,omitempty"`
	Missing   []string    `json:"missing,omitempty"`
	Diff      *eval.Diff  `json:"diff,omitempty"`
}

// printEval prints a run's figures, and how they differ from those of an earlier one.
func (p *program) printEval(run, before *eval.Run) error {
	result := searchResult{Report: run.Report(), Missing: run.Missing}
	if len(run.Reference) > 0 {
		group := run.ReferenceGroup()
		result.Reference = &group
	}
	if before != nil {
		diff := eval.Compare(before, run)
		result.Diff = &diff
	}
	if p.json {
		return p.printJSON(result)
	}
	p.printTable(evalTable(&result))
	s, l := result.Abstention, result.Latency
	fmt.Fprintf(p.out, "\nRightly no hit: %d of %d; wrongly: %d\n", s.Kept, s.Expected, s.Wrong)
	fmt.Fprintf(p.out, "Latency: p50 %.1f ms, p95 %.1f ms\n", l.P50, l.P95)
	for _, repo := range result.Missing {
		p.warn("not measured, because it is missing: " + repo)
	}
	if result.Diff != nil {
		p.printDiff(result.Diff)
	}
	if len(run.Answers) == 0 {
		return errNothing
	}
	return nil
}

// evalTable lists the figures of all, of every category and of every language.
func evalTable(r *searchResult) table {
	t := table{{"Queries", "n", "NDCG@10", "MRR@10", "P@5", "R@1", "R@5", "R@10", "R 500t", "R 1000t", "R 2000t"}}
	t.add(evalRow("all", r.All.Queries, r.All.Metrics)...)
	if r.Reference != nil {
		t.add(evalRow("reference, FTS5", r.Reference.Queries, r.Reference.Metrics)...)
	}
	if r.All.Repositories > 1 {
		t.add(evalRow("all, mean over queries", r.All.Queries, r.PerQuery)...)
	}
	for _, groups := range []struct {
		label string
		of    map[string]eval.Group
	}{{"category ", r.Categories}, {"language ", r.Languages}} {
		for _, name := range slices.Sorted(maps.Keys(groups.of)) {
			t.add(evalRow(groups.label+name, groups.of[name].Queries, groups.of[name].Metrics)...)
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
func (p *program) printDiff(d *eval.Diff) {
	fmt.Fprintf(p.out, "\nAgainst the saved run: %.4f before, %.4f now, over %d queries; %d better, %d worse\n",
		d.Before, d.After, d.Queries, len(d.Better), len(d.Worse))
	for _, list := range []struct {
		sign    string
		changes []eval.Change
	}{{"+", d.Better}, {"-", d.Worse}} {
		for _, ch := range list.changes {
			fmt.Fprintf(p.out, "  %s %.3f -> %.3f  %s  %s\n", list.sign, ch.Before, ch.After, ch.ID, cut(ch.Query, 80))
		}
	}
}
