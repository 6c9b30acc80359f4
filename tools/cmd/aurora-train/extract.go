package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/aurora-sidecar/aurora/tools/cmd/aurora-train/internal/corpus"
)

// extract reads repositories and writes their pairs.
func extract(args []string) (err error) {
	flags := flag.NewFlagSet("aurora-train extract", flag.ContinueOnError)
	out := flags.String("o", "pairs.bin", "file to write")
	workers := workersFlag(flags)
	var excluded folders
	flags.Var(&excluded, "exclude", "folder of a held-out repository, whose functions are left out wherever they occur; may be repeated")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("extract: name the folders of the repositories to learn from")
	}
	for i, folder := range excluded {
		excluded[i] = filepath.Clean(folder)
	}
	repositories, err := corpus.Extract(flags.Args(), excluded, *workers, func(name string, pairs int) {
		fmt.Fprintf(os.Stderr, "%-40s %7d pairs\n", name, pairs)
	})
	if err != nil {
		return err
	}
	file, err := os.Create(*out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return corpus.Save(file, repositories)
}
