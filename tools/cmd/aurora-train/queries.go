package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
)

// queriesFile is what the file of queries is called in the folder beside the repositories that they are asked in.
const queriesFile = "queries.jsonl"

// makeQueries draws queries with known answers from checkouts.
func makeQueries(args []string) (err error) {
	flags := flag.NewFlagSet("aurora-train queries", flag.ContinueOnError)
	out := flags.String("o", "queries", "folder to write "+queriesFile+" and the repositories to")
	perSet := flags.Int("n", 80, "most queries of a kind and repository")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("queries: name the checkouts to draw from")
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(*out, queriesFile))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	defer func() { err = errors.Join(err, w.Flush(), file.Close()) }()
	encoder := json.NewEncoder(w)
	for _, folder := range flags.Args() {
		queries, err := corpus.MakeQueries(filepath.Clean(folder), *out, *perSet)
		if err != nil {
			return err
		}
		count := map[string]int{}
		for _, q := range queries {
			count[q.Set]++
			if err := encoder.Encode(q); err != nil {
				return err
			}
		}
		fmt.Fprintf(os.Stderr, "%-30s %3d doc %3d commit %3d test\n", filepath.Base(folder), count["doc"], count["commit"], count["test"])
	}
	return nil
}
