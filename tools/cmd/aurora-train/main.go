package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "aurora-train:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "extract":
			return extract(args[1:])
		case "fit":
			return fitModel(args[1:])
		case "sentence":
			return convertSentence(args[1:])
		case "measure":
			return measureModel(args[1:])
		case "rank":
			return fitRanking(args[1:])
		case "files":
			return fitFiles(args[1:])
		case "within":
			return fitWithin(args[1:])
		case "queries":
			return makeQueries(args[1:])
		}
	}
	return fmt.Errorf("usage: aurora-train extract|fit|sentence|measure|queries|rank|files|within [flags] [folder ...]; -h after one says which")
}

// folders collects the values of a flag that may be given several times.
type folders []string

func (f *folders) String() string { return strings.Join(*f, " ") }

func (f *folders) Set(value string) error {
	*f = append(*f, value)
	return nil
}

// workersFlag is how many cores a command uses.
func workersFlag(flags *flag.FlagSet) *int {
	return flags.Int("workers", runtime.NumCPU(), "how many cores to use")
}
