package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/logit"
	"github.com/aurora-sidecar/aurora/tools/eval"
)

// fitRanking fits the weights of questions that say what code does, and measures them on repositories that were left out.
func fitRanking(args []string) error {
	flags := flag.NewFlagSet("aurora-train rank", flag.ContinueOnError)
	folder := flags.String("queries", "queries", "folder that aurora-train queries wrote")
	out := flags.String("o", "", "model to write, such as ../engine/search/rank/actions.json; nothing is written without it")
	known := flags.String("model", "../engine/search/rank/actions.json", "model to compare with")
	if err := flags.Parse(args); err != nil {
		return err
	}
	before, err := readActions(*known)
	if err != nil {
		return err
	}
	list, err := eval.Load(filepath.Join(*folder, queriesFile))
	if err != nil {
		return err
	}
	model, err := embed.Default()
	if err != nil {
		return err
	}
	choices, asked, err := eval.Choices(context.Background(), list, eval.Options{Repos: *folder, Embedder: model, Progress: func(repo string, done, total int) {
		fmt.Fprintf(os.Stderr, "%5d of %d queries; now %s\n", done, total, repo)
	}})
	if err != nil {
		return err
	}
	fmt.Printf("%d queries, %d of them say what code does, the answer is among the candidates of %d\n", len(list), asked, len(choices))
	queries := make([]logit.Query, len(choices))
	for i, c := range choices {
		queries[i] = logit.Query{Group: strings.TrimSuffix(c.Repo, corpus.WithoutDocs), Relevant: c.Relevant}
		for _, candidate := range c.Candidates {
			queries[i].Candidates = append(queries[i].Candidates, candidate.Features[:])
		}
	}
	if len(queries) == 0 {
		return errors.New("rank: no query to learn from")
	}
	left := leaveOut(choices, queries, before, ridge)
	w := logit.Fit(queries, len(rank.ActionFeatures), ridge)
	fitted := rank.Model{Weights: map[string]float64{}}
	for i, f := range rank.ActionFeatures {
		fitted.Weights[f.Name] = math.Round(100*w[i]) / 100
		fmt.Printf("%-12s %6.2f  (%.2f)\n", f.Name, w[i], before[i])
	}
	var best []float64
	for _, q := range queries {
		best = append(best, logit.Best(q, w))
	}
	slices.Sort(best)
	fitted.Width = 2
	fitted.Middle = math.Round(100*(best[len(best)/2]-fitted.Width*math.Log(bestMedian/(1-bestMedian)))) / 100
	if *out == "" {
		return nil
	}
	return writeModel(*out, fitted, left)
}

// writeModel writes weights, and what they were worth on repositories that were left out, which "aurora-eval left-out" prints.
func writeModel(file string, m rank.Model, left []eval.LeftOut) error {
	encoded, err := json.MarshalIndent(struct {
		rank.Model
		LeftOut []eval.LeftOut `json:"left_out"`
	}{m, left}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(encoded, '\n'), 0o644)
}

// ridge keeps weights small of which the queries say little.
const ridge = 1e-3

// bestMedian is the score that the best candidate of half of the queries is above.
const bestMedian = 0.74

// leaveOut measures weights, fitted to all other repositories, on each, beside weights that are known, prints the figures and returns
// their means.
func leaveOut(choices []eval.Choice, queries []logit.Query, before []float64, ridge float64) []eval.LeftOut {
	groups := map[string][]int{}
	for i, q := range queries {
		groups[q.Group] = append(groups[q.Group], i)
	}
	var was, is []float64
	bySet := map[string]*[3]float64{}
	fmt.Printf("%-24s %7s  %-12s %s\n", "left out", "queries", "MRR@10 known", "fitted to the others")
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		var others []logit.Query
		for _, q := range queries {
			if q.Group != name {
				others = append(others, q)
			}
		}
		w := logit.Fit(others, len(before), ridge)
		var old, fresh float64
		for _, i := range groups[name] {
			a, b := logit.Reciprocal(queries[i], before), logit.Reciprocal(queries[i], w)
			old, fresh = old+a, fresh+b
			if bySet[choices[i].Set] == nil {
				bySet[choices[i].Set] = &[3]float64{}
			}
			s := bySet[choices[i].Set]
			s[0], s[1], s[2] = s[0]+1, s[1]+a, s[2]+b
		}
		n := float64(len(groups[name]))
		was, is = append(was, old/n), append(is, fresh/n)
		fmt.Printf("%-24s %7.0f  %.3f        %.3f\n", name, n, old/n, fresh/n)
	}
	difference := make([]float64, len(was))
	for i := range was {
		difference[i] = is[i] - was[i]
	}
	m1, s1 := spread(was)
	m2, s2 := spread(is)
	m3, s3 := spread(difference)
	fmt.Printf("mean of %d repositories: known %.3f (spread %.3f), fitted %.3f (%.3f); difference %+.4f (standard error %.4f)\n",
		len(was), m1, s1, m2, s2, m3, s3/math.Sqrt(float64(len(was))))
	left := []eval.LeftOut{{Set: "all", Measure: "MRR@10", Repositories: len(was), Queries: len(queries), Before: thousandth(m1), Fitted: thousandth(m2)}}
	for _, set := range slices.Sorted(maps.Keys(bySet)) {
		s := bySet[set]
		left = append(left, eval.LeftOut{Set: set, Measure: "MRR@10", Queries: int(s[0]), Before: thousandth(s[1] / s[0]), Fitted: thousandth(s[2] / s[0])})
		fmt.Printf("  %-8s %5.0f queries: known %.3f, fitted %.3f\n", set, s[0], s[1]/s[0], s[2]/s[0])
	}
	return left
}

// spread is the mean and the standard deviation.
func spread(list []float64) (mean, deviation float64) {
	for _, v := range list {
		mean += v / float64(len(list))
	}
	for _, v := range list {
		deviation += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(deviation / max(1, float64(len(list)-1)))
}

// readActions reads the weights of a model, in the order of the features.
func readActions(file string) ([]float64, error) {
	var m rank.Model
	if err := readJSON(file, &m); err != nil {
		return nil, err
	}
	w := make([]float64, len(rank.ActionFeatures))
	for i, f := range rank.ActionFeatures {
		w[i] = m.Weights[f.Name]
	}
	return w, nil
}
