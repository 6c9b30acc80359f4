package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/logit"
	"github.com/aurora-sidecar/aurora/tools/eval"
)

// withinRidge keeps the weights small: there are few questions, and in most files several definitions answer.
const withinRidge = 1e-2

// fitWithin fits the weights by which the definitions of one file are ordered, and measures them on repositories that were left out.
func fitWithin(args []string) error {
	flags := flag.NewFlagSet("aurora-train within", flag.ContinueOnError)
	set := flags.String("queries", "cmd/aurora-train/definitions.jsonl", "questions whose answers are definitions of one file")
	repos := flags.String("repos", "", "folder with checkouts of their repositories")
	out := flags.String("o", "", "model to write, such as ../engine/search/rank/within.json; nothing is written without it")
	known := flags.String("model", "../engine/search/rank/actions.json", "model to compare with")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *repos == "" {
		return errors.New("within: -repos names the folder with the checkouts")
	}
	before, err := readActions(*known)
	if err != nil {
		return err
	}
	list, err := loadOpen(*set, *repos)
	if err != nil {
		return err
	}
	model, err := embed.Default()
	if err != nil {
		return err
	}
	choices, absent, err := eval.WithinChoices(context.Background(), list, eval.Options{Repos: *repos, Embedder: model})
	if err != nil {
		return err
	}
	for _, dir := range absent {
		fmt.Fprintln(os.Stderr, "left out, as it is not there:", dir)
	}
	queries := make([]logit.Query, len(choices))
	for i, c := range choices {
		queries[i] = logit.Query{Group: c.Repo, Relevant: c.Relevant}
		for _, candidate := range c.Candidates {
			queries[i].Candidates = append(queries[i].Candidates, candidate.Features[:])
		}
	}
	if len(queries) == 0 {
		return errors.New("within: no question to learn from")
	}
	left := leaveOut(choices, queries, before, withinRidge)
	w := logit.Fit(queries, len(rank.ActionFeatures), withinRidge)
	fitted := rank.Model{Weights: map[string]float64{}}
	for i, f := range rank.ActionFeatures {
		if math.Abs(w[i]) >= 0.005 { // what all definitions of a file share has no weight
			fitted.Weights[f.Name] = math.Round(100*w[i]) / 100
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fitted.Weights)) {
		fmt.Printf("%-12s %6.2f\n", name, fitted.Weights[name])
	}
	if *out == "" {
		return nil
	}
	return writeModel(*out, fitted, left)
}
