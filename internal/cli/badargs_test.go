package cli

import (
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checkRefusal holds what every refusal has to be: the right exit code, one error on standard error, nothing on standard
// output, nothing of a crash.
func checkRefusal(t *testing.T, got outcome, code int, args []string) {
	t.Helper()
	switch {
	case got.code != code:
		t.Errorf("%q: exit %d, want %d\n%s", args, got.code, code, got)
	case got.out != "":
		t.Errorf("%q prints to standard output:\n%s", args, got)
	case strings.Count(got.err, "Error: ") != 1 || strings.Contains(got.err, "panic") || strings.Contains(got.err, "goroutine"):
		t.Errorf("%q does not tell one error:\n%s", args, got)
	}
}

// everyCommand calls visit for each command with its path as arguments.
func everyCommand(cmd *cobra.Command, path []string, visit func(cmd *cobra.Command, args []string)) {
	visit(cmd, path)
	for _, sub := range cmd.Commands() {
		if sub.Name() != "help" && sub.Name() != "completion" {
			everyCommand(sub, append(path[:len(path):len(path)], sub.Name()), visit)
		}
	}
}

// TestEveryCommandRefusesWhatItCannotRead has unknown flags, unknown subcommands, and words where numbers, times and
// truths belong, for every command there is.
func TestEveryCommandRefusesWhatItCannotRead(t *testing.T) {
	p := smallProject(t)
	commands := 0
	everyCommand(rootCommand((&app.App{}), "aurora"), []string{"aurora"}, func(cmd *cobra.Command, args []string) {
		commands++
		with := func(more ...string) []string { return append(args[:len(args):len(args)], more...) }
		if cmd.Name() != "set" { // behind a key, everything is a value
			bad := with("--no-such-flag")
			checkRefusal(t, p.run(bad...), app.ExitUsage, bad)
		}
		if !cmd.HasSubCommands() && cmd.Args != nil && cmd.Args(cmd, []string{"x", "x", "x", "x", "x"}) != nil {
			bad := with("x", "x", "x", "x", "x")
			checkRefusal(t, p.run(bad...), app.ExitUsage, bad)
		}
		if cmd.HasSubCommands() && cmd.Name() != "mem" && cmd.Args != nil && cmd.Args(cmd, []string{"no-such-command"}) != nil {
			bad := with("no-such-command")
			checkRefusal(t, p.run(bad...), app.ExitUsage, bad)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			switch f.Value.Type() {
			case "int", "float64", "duration", "bool":
				bad := with("--" + f.Name + "=many")
				checkRefusal(t, p.run(bad...), app.ExitUsage, bad)
			}
		})
	})
	if commands < 60 {
		t.Errorf("only %d commands were seen", commands)
	}
}

// TestAbsurdArguments has what can be read and makes no sense.
func TestAbsurdArguments(t *testing.T) {
	p := smallProject(t)
	for line, code := range map[string]int{
		"aurora mem search":                                app.ExitUsage,
		"aurora mem search  ":                              app.ExitUsage,
		"aurora mem search Backoff --limit 0":              app.ExitUsage,
		"aurora mem search Backoff --limit -3":             app.ExitUsage,
		"aurora mem search Backoff --type novel":           app.ExitUsage,
		"aurora mem search Backoff --fusion magic":         app.ExitUsage,
		"aurora mem search Backoff --provider oracle":      app.ExitUsage,
		"aurora mem search Backoff --min-importance NaN":   app.ExitUsage,
		"aurora mem search Backoff --recency-bias 2":       app.ExitUsage,
		"aurora mem search Backoff --in nowhere":           app.ExitUsage,
		"aurora mem --pick Backoff":                        app.ExitUsage,
		"aurora mem serch Backoff":                         app.ExitUsage,
		"aurora query":                                     app.ExitUsage,
		"aurora query where --mode sideways":               app.ExitUsage,
		"aurora query where --assess dice":                 app.ExitUsage,
		"aurora query where --verification hope":           app.ExitUsage,
		"aurora query where --budget-usd -1":               app.ExitUsage,
		"aurora query --replay nothing where":              app.ExitUsage,
		"aurora related":                                   app.ExitUsage,
		"aurora related Backoff --direction up":            app.ExitUsage,
		"aurora context":                                   app.ExitUsage,
		"aurora context task -b -1":                        app.ExitUsage,
		"aurora context task -b 99999999":                  app.ExitUsage,
		"aurora --project /no/such/folder status":          app.ExitFailed,
		"aurora --project / index":                         app.ExitFailed,
		"aurora --project retry.go mem search Backoff":     app.ExitFailed,
		"aurora --config /no/such/file.json status":        app.ExitFailed,
		"aurora --config retry.go status":                  app.ExitUsage,
		"aurora --llm-provider nobody status":              app.ExitUsage,
		"aurora --verbosity deafening status":              app.ExitUsage,
		"aurora config get nothing.at.all":                 app.ExitUsage,
		"aurora config get":                                app.ExitUsage,
		"aurora config set search.limit":                   app.ExitUsage,
		"aurora config set search.limit many":              app.ExitUsage,
		"aurora config set search.bm25.k1 -1":              app.ExitUsage,
		"aurora config set search 3":                       app.ExitUsage,
		"aurora config set llm.base_url http://x --local":  app.ExitUsage,
		"aurora config set cost_budgets.hard_limit_usd -5": app.ExitUsage,
		"aurora config unset search.limt":                  app.ExitUsage,
		"aurora report --date 2025-02-30":                  app.ExitUsage,
		"aurora report --date yesterday":                   app.ExitUsage,
		"aurora report --month 2025-13":                    app.ExitUsage,
		"aurora report --no-file --output x":               app.ExitUsage,
		"aurora budget --month 2025-00":                    app.ExitUsage,
		"aurora mcp --tools magic":                         app.ExitUsage,
		"aurora setup --undo --shared":                     app.ExitUsage,
		"aurora setup --client emacs-of-the-future":        app.ExitUsage,
		"aurora mcp --http 10.0.0.1:80":                    app.ExitUsage,
		"aurora serve --http 0.0.0.0:80":                   app.ExitUsage,
		"aurora serve --log-level deafening":               app.ExitUsage,
		"aurora mem show know:nothing-00000000":            app.ExitNothing,
		"aurora mem rate know:nothing-00000000 7":          app.ExitUsage,
		"aurora mem import no-such-file.json":              app.ExitFailed,
		"aurora mem remember":                              app.ExitUsage,
		"aurora mem forget":                                app.ExitUsage,
		"aurora history nothing":                           app.ExitNothing,
		"aurora logs nothing":                              app.ExitNothing,
		"aurora doctor --llm --no-such":                    app.ExitUsage,
		"aurora statuss":                                   app.ExitUsage,
		"aurora man no-such-command":                       app.ExitUsage,
		"aurora headless --max-iterations -1":              app.ExitUsage,
		"aurora dev debug --nothing":                       app.ExitUsage,
		"aurora completion klingon":                        app.ExitUsage,
	} {
		t.Setenv("AURORA_CONFIG", "") // which --config sets, for the processes that are started
		args := strings.Split(line, " ")
		checkRefusal(t, p.run(args...), code, args)
	}
}
