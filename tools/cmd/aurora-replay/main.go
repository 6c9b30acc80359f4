package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	warmup := flag.Int("warmup", 200, "commits to learn from before the first prediction")
	commits := flag.Int("commits", 1500, "most commits that are predicted, the latest ones")
	asked := flag.Bool("search", false, "ask the search itself")
	noted := flag.Bool("notes", false, "recall the messages of earlier commits, which cite what those changed")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "aurora-replay: name the git repositories to replay")
		os.Exit(2)
	}
	for _, repository := range flag.Args() {
		if *asked || *noted {
			ask := replaySearch
			if *noted {
				ask = replayNotes
			}
			if err := ask(context.Background(), repository); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			continue
		}
		if err := replay(repository, *warmup, *commits); err != nil {
			fmt.Fprintf(os.Stderr, "aurora-replay: %s: %v\n", repository, err)
			os.Exit(1)
		}
	}
}

// replay prints the table of one repository, for files and for functions.
func replay(repository string, warmup, limit int) error {
	log, err := readLog(repository)
	if err != nil {
		return err
	}
	for _, level := range []struct {
		name  string
		units func(commit) []string
	}{
		{"files", func(c commit) []string { return c.files }},
		{"functions", func(c commit) []string { return c.functions }},
	} {
		w := newWorld(level.units)
		tally := w.run(log, max(warmup, len(log)-limit))
		fmt.Printf("\n%s, %s: %d units, %d of %d commits predicted\n", filepath.Base(filepath.Dir(repository)), level.name,
			len(w.units), tally.commits, len(log))
		tally.print()
	}
	return nil
}
