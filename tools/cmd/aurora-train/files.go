package main

import (
	"cmp"
	"context"
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

// fileWidth is how far a sum has to lie below the best one's for the factor e. It was chosen by whole lists of hits.
const fileWidth = 10

// parts is the category of the questions about how parts work together. They count twice, as there are few of them.
const parts = "architecture"

// fitFiles fits the weights by which files are ordered, and measures them on repositories that were left out.
func fitFiles(args []string) error {
	flags := flag.NewFlagSet("aurora-train files", flag.ContinueOnError)
	set := flags.String("queries", "cmd/aurora-train/questions.jsonl", "questions whose answers are files")
	repos := flags.String("repos", "", "folder with checkouts of their repositories")
	out := flags.String("o", "", "model to write, such as ../engine/search/rank/files.json; nothing is written without it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *repos == "" {
		return errors.New("files: -repos names the folder with the checkouts")
	}
	list, err := loadOpen(*set, *repos)
	if err != nil {
		return err
	}
	model, err := embed.Default()
	if err != nil {
		return err
	}
	choices, absent, err := eval.FileChoices(context.Background(), list, eval.Options{Repos: *repos, Embedder: model})
	if err != nil {
		return err
	}
	for _, dir := range absent {
		fmt.Fprintln(os.Stderr, "left out, as it is not there:", dir)
	}
	left := leaveOutFiles(choices)
	w := logit.Fit(fileQueries(choices, ""), len(rank.FileFeatures), ridge)
	fitted := rank.Model{Weights: map[string]float64{}, Width: fileWidth}
	for i, f := range rank.FileFeatures {
		fitted.Weights[f.Name] = math.Round(100*w[i]) / 100
		fmt.Printf("%-12s %6.2f\n", f.Name, w[i])
	}
	if *out == "" {
		return nil
	}
	return writeModel(*out, fitted, left)
}

// loadOpen reads questions, and refuses those about repositories that are held out for evaluation.
func loadOpen(set, repos string) ([]eval.Query, error) {
	list, err := eval.Load(set)
	if err != nil {
		return nil, err
	}
	for _, q := range list {
		name, _, _ := strings.Cut(q.Repo, "/")
		if why := corpus.HeldOut(filepath.Join(repos, name)); why != "" {
			return nil, fmt.Errorf("%s: %s", set, why)
		}
	}
	return list, nil
}

// fileQueries are the choices of all repositories but one that have a right candidate.
func fileQueries(choices []eval.FileChoice, without string) []logit.Query {
	var list []logit.Query
	for _, c := range choices {
		if c.Repo == without || !slices.Contains(c.Relevant, true) {
			continue
		}
		q := logit.Query{Group: c.Repo, Relevant: c.Relevant, Candidates: c.Candidates}
		list = append(list, q)
		if c.Category == parts {
			list = append(list, q)
		}
	}
	return list
}

// leaveOutFiles prints and returns NDCG@10 of the files by the rules and by weights that were fitted to all other repositories.
func leaveOutFiles(choices []eval.FileChoice) []eval.LeftOut {
	repos, kinds := map[string][][2]float64{}, map[string][][2]float64{}
	fitted := map[string][]float64{}
	for _, c := range choices {
		w := fitted[c.Repo]
		if w == nil {
			w = logit.Fit(fileQueries(choices, c.Repo), len(rank.FileFeatures), ridge)
			fitted[c.Repo] = w
		}
		rules := make([]float64, len(w))
		rules[0] = 1
		pair := [2]float64{fileGain(c, rules), fileGain(c, w)}
		repos[c.Repo], kinds[c.Category] = append(repos[c.Repo], pair), append(kinds[c.Category], pair)
	}
	var was, is, difference []float64
	fmt.Printf("%-30s %9s  rules  fitted to the others\n", "left out", "questions")
	for _, name := range slices.Sorted(maps.Keys(repos)) {
		a, b := meansOf(repos[name])
		was, is, difference = append(was, a), append(is, b), append(difference, b-a)
		fmt.Printf("%-30s %9d  %.3f  %.3f\n", name, len(repos[name]), a, b)
	}
	m1, _ := spread(was)
	m2, _ := spread(is)
	m3, s3 := spread(difference)
	fmt.Printf("NDCG@10 of files, mean of %d repositories: rules %.3f, fitted %.3f; difference %+.4f (standard error %.4f)\n",
		len(was), m1, m2, m3, s3/math.Sqrt(float64(len(was))))
	left := []eval.LeftOut{{Set: "all", Measure: "NDCG@10", Repositories: len(was), Queries: len(choices), Before: thousandth(m1), Fitted: thousandth(m2)}}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		a, b := meansOf(kinds[kind])
		left = append(left, eval.LeftOut{Set: kind, Measure: "NDCG@10", Queries: len(kinds[kind]), Before: thousandth(a), Fitted: thousandth(b)})
		fmt.Printf("  %-14s %4d questions: rules %.3f, fitted %.3f\n", kind, len(kinds[kind]), a, b)
	}
	return left
}

// thousandth rounds a figure that is kept.
func thousandth(x float64) float64 { return math.Round(1000*x) / 1000 }

func meansOf(pairs [][2]float64) (a, b float64) {
	for _, p := range pairs {
		a, b = a+p[0]/float64(len(pairs)), b+p[1]/float64(len(pairs))
	}
	return a, b
}

// fileGain is NDCG@10 of a question's files, sorted by weights.
func fileGain(c eval.FileChoice, w []float64) float64 {
	order := make([]int, len(c.Candidates))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(logit.Sum(w, c.Candidates[b]), logit.Sum(w, c.Candidates[a])) })
	gain, ideal := 0.0, 0.0
	for i := range 10 {
		if i < len(order) && c.Relevant[order[i]] {
			gain += 1 / math.Log2(float64(i+2))
		}
		if i < c.Targets {
			ideal += 1 / math.Log2(float64(i+2))
		}
	}
	return gain / ideal
}
