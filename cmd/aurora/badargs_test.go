package main

import (
	"strings"
	"testing"

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
	everyCommand((&cli{}).rootCommand("aurora"), []string{"aurora"}, func(cmd *cobra.Command, args []string) {
		commands++
		with := func(more ...string) []string { return append(args[:len(args):len(args)], more...) }
		if cmd.Name() != "set" { // behind a key, everything is a value
			bad := with("--no-such-flag")
			checkRefusal(t, p.run(bad...), exitUsage, bad)
		}
		if !cmd.HasSubCommands() && cmd.Args != nil && cmd.Args(cmd, []string{"x", "x", "x", "x", "x"}) != nil {
			bad := with("x", "x", "x", "x", "x")
			checkRefusal(t, p.run(bad...), exitUsage, bad)
		}
		if cmd.HasSubCommands() && cmd.Name() != "mem" && cmd.Args != nil && cmd.Args(cmd, []string{"no-such-command"}) != nil {
			bad := with("no-such-command")
			checkRefusal(t, p.run(bad...), exitUsage, bad)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			switch f.Value.Type() {
			case "int", "float64", "duration", "bool":
				bad := with("--" + f.Name + "=many")
				checkRefusal(t, p.run(bad...), exitUsage, bad)
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
		"aurora mem search":                                exitUsage,
		"aurora mem search  ":                              exitUsage,
		"aurora mem search Backoff --limit 0":              exitUsage,
		"aurora mem search Backoff --limit -3":             exitUsage,
		"aurora mem search Backoff --limit 1001":           exitUsage,
		"aurora mem search Backoff --type novel":           exitUsage,
		"aurora mem search Backoff --fusion magic":         exitUsage,
		"aurora mem search Backoff --provider oracle":      exitUsage,
		"aurora mem search Backoff --min-importance NaN":   exitUsage,
		"aurora mem search Backoff --recency-bias 2":       exitUsage,
		"aurora mem search Backoff --in nowhere":           exitUsage,
		"aurora mem --pick Backoff":                        exitUsage,
		"aurora mem serch Backoff":                         exitUsage,
		"aurora query":                                     exitUsage,
		"aurora query where --mode sideways":               exitUsage,
		"aurora query where --assess dice":                 exitUsage,
		"aurora query where --verification hope":           exitUsage,
		"aurora query where --budget-usd -1":               exitUsage,
		"aurora query --replay nothing where":              exitUsage,
		"aurora related":                                   exitUsage,
		"aurora related Backoff --direction up":            exitUsage,
		"aurora context":                                   exitUsage,
		"aurora context task -b -1":                        exitUsage,
		"aurora context task -b 99999999":                  exitUsage,
		"aurora --project /no/such/folder status":          exitFailed,
		"aurora --project / index":                         exitFailed,
		"aurora --project retry.go mem search Backoff":     exitFailed,
		"aurora --config /no/such/file.json status":        exitUsage,
		"aurora --config retry.go status":                  exitUsage,
		"aurora --llm-provider nobody status":              exitUsage,
		"aurora --verbosity deafening status":              exitUsage,
		"aurora config get nothing.at.all":                 exitUsage,
		"aurora config get":                                exitUsage,
		"aurora config set search.limit":                   exitUsage,
		"aurora config set search.limit many":              exitUsage,
		"aurora config set search.bm25.k1 -1":              exitUsage,
		"aurora config set search 3":                       exitUsage,
		"aurora config set llm.base_url http://x --local":  exitUsage,
		"aurora config set cost_budgets.hard_limit_usd -5": exitUsage,
		"aurora config unset search.limt":                  exitUsage,
		"aurora report daily --date 2025-02-30":            exitUsage,
		"aurora report daily --date yesterday":             exitUsage,
		"aurora report monthly --month 2025-13":            exitUsage,
		"aurora report daily --no-file --output x":         exitUsage,
		"aurora budget history --month 2025-00":            exitUsage,
		"aurora index check":                               exitUsage,
		"aurora mcp --tools magic":                         exitUsage,
		"aurora mcp install":                               exitUsage,
		"aurora mcp install --client emacs-of-the-future":  exitUsage,
		"aurora mcp --http 10.0.0.1:80":                    exitUsage,
		"aurora serve --http 0.0.0.0:80":                   exitUsage,
		"aurora serve --log-level deafening":               exitUsage,
		"aurora mem show know:nothing-00000000":            exitUsage,
		"aurora mem rate know:nothing-00000000 7":          exitUsage,
		"aurora mem import no-such-file.json":              exitFailed,
		"aurora mem remember":                              exitUsage,
		"aurora mem forget":                                exitUsage,
		"aurora history show nothing":                      exitUsage,
		"aurora logs view nothing":                         exitNothing,
		"aurora doctor --llm --no-such":                    exitUsage,
		"aurora statuss":                                   exitUsage,
		"aurora man no-such-command":                       exitUsage,
		"aurora headless --max-iterations -1":              exitUsage,
		"aurora daemon debug --nothing":                    exitUsage,
		"aurora completion klingon":                        exitUsage,
	} {
		t.Setenv("AURORA_CONFIG", "") // which --config sets, for the processes that are started
		args := strings.Split(line, " ")
		checkRefusal(t, p.run(args...), code, args)
	}
}
