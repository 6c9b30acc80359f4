package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

// TestReference holds docs/cli.md true: it is made from the command tree.
func TestReference(t *testing.T) {
	root := (&cli{}).rootCommand("aurora")
	root.InitDefaultCompletionCmd()
	var b strings.Builder
	b.WriteString("# Commands\n\nMade from the command tree by `go test ./cmd/aurora -run TestReference -update`; do not edit.\n" +
		"`aurora man COMMAND` prints the same as a manual page, `aurora completion SHELL` the completion for a shell.\n")
	describeCommand(&b, root)
	checkGenerated(t, "cli.md", b.String())
}

// TestSettingsReference holds docs/configuration.md true: it is made from the settings struct.
func TestSettingsReference(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Settings

Made from internal/config/settings.go by ` + "`go test ./cmd/aurora -run TestSettingsReference -update`" + `; do not edit.

Of several sources that set a key the last one wins: the defaults, your own file in ~/.aurora, the project's in its
folder .aurora (each is called config.json), the variable, the editor's settings, flags. "aurora config list" shows what
is in force and where it comes from, "aurora config set KEY VALUE" changes your file, "aurora config validate" checks all
of them, and "aurora config schema" prints a JSON Schema by which editors complete and check the files. Keys marked * are
yours alone: a project's file can't set them.

| key | default | allowed | meaning |
|---|---|---|---|
`)
	for _, info := range config.Keys() {
		star := ""
		if info.UserOnly {
			star = " *"
		}
		value, err := json.Marshal(info.Default)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "| `%s`%s | `%s` | %s | %s |\n", info.Name, star, value, info.Rule, info.Doc)
	}
	b.WriteString("\nThe variable of a key is AURORA_ and the key in capitals, dots as underscores: `search.bm25.k1` is `AURORA_SEARCH_BM25_K1`.\n")
	checkGenerated(t, "configuration.md", b.String())
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
		t.Errorf("docs/%s is stale (%v): go test ./cmd/aurora -run %s -update", page, err, t.Name())
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
