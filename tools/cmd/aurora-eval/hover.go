package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/tools/eval"
	"github.com/spf13/cobra"
)

func (p *program) hoverCommand() *cobra.Command {
	o := eval.HoverOptions{}
	server := ""
	cmd := &cobra.Command{
		Use:   "hover --server <command> --language <name>",
		Short: "Compare the definitions that hovers show with those of a language server",
		Long: `Ask AURORA and a language server about random identifiers of a project. A hover is right when every place that it
shows is among the definitions that the server names. Identifiers that the server says nothing about, and those that are the
definition itself, are left out, and so are the language's reserved words. Where the server knows only the import that
brings a name, what is shown is counted apart: as unknown, and in a second figure as wrong.`,
		Example: `  aurora-eval hover --project ~/checkouts/chi --language go --server gopls
  aurora-eval hover --project ~/checkouts/flask --language python --server "pyright-langserver --stdio"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Server = strings.Fields(server); len(o.Server) == 0 || o.Language == "" {
				return usage("hover needs --server and --language")
			}
			o.Dir = p.project
			return p.evalHovers(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&server, "server", "", "command line of a language server on stdio")
	flags.StringVar(&o.Language, "language", "", "language of the files, such as go, python, typescript")
	flags.IntVar(&o.Samples, "samples", 300, "identifiers with a definition")
	flags.Uint64Var(&o.Seed, "seed", 1, "which ones")
	flags.BoolVar(&o.Link, "link", false, "write node_modules with the project's own packages: for a copy of a monorepo that is not installed")
	return cmd
}

func (p *program) evalHovers(ctx context.Context, o eval.HoverOptions) error {
	report, err := eval.Hovers(ctx, o)
	if err != nil {
		return err
	}
	if p.json {
		return json.NewEncoder(p.out).Encode(report)
	}
	right, wrong, silent := report.Count("right"), report.Count("wrong"), report.Count("silent")
	foreign, spared := report.Count("foreign"), report.Count("spared")
	fmt.Fprintf(p.out, "%d identifiers, %d of them defined in the project\n", len(report.Cases), right+wrong+silent)
	fmt.Fprintf(p.out, "right %d, wrong %d, silent %d; of the others: shown as the project's own %d, silent %d\n", right, wrong, silent, foreign, spared)
	fmt.Fprintf(p.out, "of shown definitions right: %s; of those in the project shown right: %s\n",
		percent(right, right+wrong+foreign), percent(right, right+wrong+silent))
	if beyond, stopped := report.Count("beyond"), report.Count("stopped"); beyond+stopped > 0 {
		fmt.Fprintf(p.out, "the server stops at an import: shown %d, silent %d; with these as wrong and as silent, of shown right: %s; shown right: %s\n",
			beyond, stopped, percent(right, right+wrong+foreign+beyond), percent(right, right+wrong+silent+beyond+stopped))
	}
	fmt.Fprintf(p.out, "processor time of a hover: median %v, 99 %% within %v\n", report.CPU50, report.CPU99)
	if !p.verbose {
		return nil
	}
	for _, c := range report.Cases {
		if c.Verdict != "right" && c.Verdict != "spared" && c.Verdict != "stopped" {
			fmt.Fprintf(p.out, "%s %s:%d:%d %s\n  is %v\n  shown %v\n", c.Verdict, c.Path, c.Line, c.Column+1, c.Name, c.Truth, c.Shown)
		}
	}
	return nil
}

func percent(part, whole int) string {
	if whole == 0 {
		return "none"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}
