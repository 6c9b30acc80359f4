package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/measure"
)

// measureModel prints what a model is worth on held-out repositories.
func measureModel(args []string) error {
	flags := flag.NewFlagSet("aurora-train measure", flag.ContinueOnError)
	file := flags.String("model", "model.bin", "model to measure")
	queries := flags.String("queries", "", "file of queries with known answers, about the repositories in the one folder named; without it every documented function is asked for")
	if err := flags.Parse(args); err != nil {
		return err
	}
	data, err := os.ReadFile(*file)
	if err != nil {
		return err
	}
	model, err := embed.OpenStatic(data)
	if err != nil {
		return err
	}
	repositories, err := measured(*queries, flags.Args())
	if err != nil {
		return err
	}
	fmt.Println(model.ID())
	printFigures(measure.Run(model, repositories))
	return nil
}

func measured(queries string, folders []string) ([]measure.Repository, error) {
	switch {
	case queries != "" && len(folders) == 1:
		return measure.Queries(queries, folders[0])
	case queries != "" || len(folders) == 0:
		return nil, errors.New("measure: name the folders of held-out repositories, or -queries and the one folder that has them all")
	}
	var all []measure.Repository
	for _, folder := range folders {
		r, err := measure.Documented(folder)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// printFigures prints a Markdown table of mean reciprocal ranks.
func printFigures(results map[string]*measure.Result) {
	languages := slices.Sorted(maps.Keys(results)) // the mean, under "", first
	fmt.Print("\n| MRR@10 | queries |")
	for _, m := range measure.Methods {
		fmt.Printf(" %s |", m)
	}
	fmt.Println("\n|---|---" + strings.Repeat("|---", len(measure.Methods)) + "|")
	for _, language := range languages {
		r := results[language]
		if language == "" {
			language = "mean of languages"
		}
		fmt.Printf("| %s | %d |", language, r.Queries)
		for _, x := range r.MRR {
			fmt.Printf(" %.3f |", x)
		}
		fmt.Println()
	}
}
