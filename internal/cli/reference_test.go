package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/spf13/cobra"
)

// TestReference holds docs/cli.md true: it is made from the command tree.
func TestReference(t *testing.T) {
	root := rootCommand((&app.App{}), "aurora")
	root.InitDefaultCompletionCmd()
	var b strings.Builder
	b.WriteString("# Commands\n\nMade from the command tree by `go test ./internal/cli -run TestReference -update`; do not edit.\n" +
		"`aurora man COMMAND` prints the same as a manual page, `aurora completion SHELL` the completion for a shell.\n")
	p := &project{t: t, width: app.DefaultWidth}
	fmt.Fprintf(&b, "\nIn a terminal of %d columns:\n\n```console\n$ aurora --help\n%s```\n", app.DefaultWidth, p.run("aurora", "--help").out)
	describeCommand(&b, root)
	checkGenerated(t, "cli.md", b.String())
}

// checkGenerated compares a page of docs with what it is made of.
func checkGenerated(t *testing.T, page, want string) {
	t.Helper()
	file := filepath.Join(testDir, "..", "..", "docs", page)
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != want {
		t.Errorf("docs/%s is stale (%v): go test ./internal/cli -run %s -update", page, err, t.Name())
	}
}

func describeCommand(b *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n%s.\n", cmd.CommandPath(), strings.TrimSuffix(cmd.Short, "."))
	block := func(title, text string) {
		if text = strings.TrimRight(text, "\n "); text != "" {
			fmt.Fprintf(b, "\n%s\n\n```text\n%s\n```\n", title, text)
		}
	}
	block("Usage:", cmd.UseLine())
	if cmd.Long != "" && cmd.Name() != "completion" {
		block("More:", cmd.Long)
	}
	block("Flags:", cmd.NonInheritedFlags().FlagUsages())
	block("Examples:", cmd.Example)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && cmd.Name() != "completion" {
			describeCommand(b, sub)
		}
	}
}
