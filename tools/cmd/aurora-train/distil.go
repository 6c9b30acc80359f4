package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/aurora-sidecar/aurora/engine/embedder"
	"github.com/aurora-sidecar/aurora/index/embed"
	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/fit"
)

// distil makes the model of prose: it asks an embedding endpoint for the vectors of texts, and fits rows to them.
func distil(args []string) error {
	set := fit.DistilSettings
	flags := flag.NewFlagSet("aurora-train distil", flag.ContinueOnError)
	out := flags.String("o", "prose.bin", "model to write")
	url := flags.String("url", "http://localhost:11434/v1", "base URL of the endpoint of the teacher")
	teacher := flags.String("teacher", "all-minilm", "the teacher's name at the endpoint")
	limit := flags.Int("tokens", 30_000, "most tokens that get a row")
	flags.IntVar(&set.Epochs, "epochs", set.Epochs, "times that each text is seen")
	flags.Uint64Var(&set.Seed, "seed", set.Seed, "seed of all random numbers")
	workers := workersFlag(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	set.Workers = *workers
	if flags.NArg() == 0 {
		return errors.New("distil: name the folders of the repositories to learn from")
	}
	repositories, texts, err := corpus.Prose(flags.Args(), *workers)
	if err != nil {
		return err
	}
	v := fit.NewVocabulary(repositories, *limit)
	fmt.Fprintf(os.Stderr, "%d texts of %d repositories; %d tokens cover %.1f %% of all occurrences\n", len(texts), len(repositories), len(v.Hashes), 100*v.Coverage)
	targets, err := ask(context.Background(), embedder.Options{BaseURL: *url, Model: *teacher, Timeout: 5 * time.Minute}, texts)
	if err != nil {
		return err
	}
	rows, err := fit.Distil(repositories, fit.Project(targets, set.Dimensions, *workers), v, set, func(s fit.Step) {
		fmt.Fprintf(os.Stderr, "step %d of %d: distance %.4f\n", s.Number, s.Steps, s.Loss)
	})
	if err != nil {
		return err
	}
	model, err := embed.Encode(set.Dimensions, fit.Quantise(v, rows))
	if err != nil {
		return err
	}
	return os.WriteFile(*out, model, 0o644)
}

// askedAtOnce is how many texts are sent before the progress is told.
const askedAtOnce = 4096

// ask returns the teacher's vectors, in the order of the texts.
func ask(ctx context.Context, o embedder.Options, texts []string) ([][]float32, error) {
	remote, err := embedder.New(o)
	if err != nil {
		return nil, err
	}
	vectors := make([][]float32, 0, len(texts))
	for from := 0; from < len(texts); from += askedAtOnce {
		var batch [][]byte
		for _, text := range texts[from:min(len(texts), from+askedAtOnce)] {
			batch = append(batch, []byte(text))
		}
		answers, err := remote.Embed(ctx, batch)
		if err != nil {
			return nil, err
		}
		for _, a := range answers {
			vectors = append(vectors, atLengthOne(a))
		}
		fmt.Fprintf(os.Stderr, "%d of %d texts\n", len(vectors), len(texts))
	}
	return vectors, nil
}

// atLengthOne returns a vector as floats, nil when there is none.
func atLengthOne(v embed.Vector) []float32 {
	if len(v) == 0 {
		return nil
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x)
	}
	return fit.Unit(out)
}
