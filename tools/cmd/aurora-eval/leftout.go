package main

import (
	"fmt"

	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

func (p *program) leftOutCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "left-out <file>",
		Short: "Print what training measured on repositories that it left out",
		Long: `Print what training measured on repositories that it left out: each one by weights that were fitted to all others,
beside the rules or the weights before. aurora-train writes that into its files of weights; nothing is measured here.`,
		Example: "  aurora-eval left-out engine/search/rank/files.json",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return p.leftOut(args[0]) },
	}
}

func (p *program) leftOut(file string) error {
	list, err := eval.LeftOuts(file)
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(list)
	}
	if len(list) == 0 {
		p.warn(file + " has no such figures; aurora-train writes them with -o")
		return errNothing
	}
	t := table{{"Left out", "n", "Measure", "before", "fitted"}}
	for _, l := range list {
		t.add(l.Set, fmt.Sprint(l.Queries), l.Measure, fmt.Sprintf("%.3f", l.Before), fmt.Sprintf("%.3f", l.Fitted))
	}
	p.printTable(t)
	return nil
}
