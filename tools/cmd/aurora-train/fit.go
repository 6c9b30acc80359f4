package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/fit"
)

// fitModel trains on pairs and writes the model.
func fitModel(args []string) error {
	set := fit.DefaultSettings
	flags := flag.NewFlagSet("aurora-train fit", flag.ContinueOnError)
	in := flags.String("pairs", "pairs.bin", "file that extract wrote")
	out := flags.String("o", "model.bin", "model to write")
	reportTo := flags.String("report", "", "Markdown report to write")
	limit := flags.Int("tokens", 40_000, "most tokens that get a row")
	flags.IntVar(&set.Dimensions, "dimensions", set.Dimensions, "numbers in a row")
	flags.IntVar(&set.Epochs, "epochs", set.Epochs, "times that each pair is seen")
	flags.Uint64Var(&set.Seed, "seed", set.Seed, "seed of all random numbers")
	workers := workersFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if set.Workers = *workers; set.Dimensions < 16 || set.Dimensions%16 != 0 {
		return fmt.Errorf("fit: %d dimensions: use a multiple of 16", set.Dimensions)
	}
	repositories, err := loadPairs(*in)
	if err != nil {
		return err
	}
	r := report{set: set, repositories: repositories, began: time.Now()}
	r.vocabulary = fit.NewVocabulary(repositories, *limit)
	rows, err := fit.Train(repositories, r.vocabulary, set, func(s fit.Step) {
		r.steps = append(r.steps, s)
		fmt.Fprintf(os.Stderr, "step %d of %d: loss %.4f, %s\n", s.Number, s.Steps, s.Loss, time.Since(r.began).Round(time.Second))
	})
	if err != nil {
		return err
	}
	model, err := embed.Encode(set.Dimensions, fit.Quantise(r.vocabulary, rows))
	if err != nil {
		return err
	}
	static, err := embed.OpenStatic(model)
	if err != nil {
		return err
	}
	r.id, r.bytes = static.ID().String(), len(model)
	if *reportTo != "" {
		err = os.WriteFile(*reportTo, r.markdown(), 0o644)
	}
	return errors.Join(err, os.WriteFile(*out, model, 0o644))
}

func loadPairs(name string) ([]corpus.Repository, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return corpus.Load(file)
}
