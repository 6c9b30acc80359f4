package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/spf13/cobra"
)

// memCommand is explicit recall: aur mem "words" prints the list, its subcommands do the rest (C-115).
func (c *cli) memCommand() *cobra.Command {
	f := &searchFlags{}
	pick := false
	cmd := &cobra.Command{
		Use:     "mem [words]",
		Aliases: []string{"m", "memory"},
		Short:   "Recall from code and memory; remember, forget",
		Long: `Recall from code and memory. With plain words it prints a list, the most active first:

  aur mem "authentication bugs"
  aur m "authentication bugs"

Without words, in a terminal, it searches while you type: arrows choose, Enter opens the place in $VISUAL or $EDITOR or
prints it, Ctrl-Y prints it, Ctrl-R tells why it ranks where it does, Esc leaves. --pick does so with words to begin with.

"aur mem search" prints the same as a table. Recall only reads: nothing is learned from it.
The names of the subcommands are reserved; to recall such a word, write: aur mem -- search`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if pick || len(args) == 0 && c.canPick() {
				return c.pick(cmd.Context(), strings.Join(args, " "), f)
			}
			if len(args) == 0 {
				return cmd.Help()
			}
			if err := meantSubcommand(cmd, args); err != nil {
				return err
			}
			return c.recall(cmd, strings.Join(args, " "), f)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&pick, "pick", false, "search while typing, and choose; what is chosen is printed where it can't be opened")
	cmd.AddCommand(c.memSearchCommand(), c.showCommand(), c.rememberCommand(), c.forgetCommand(), c.restoreCommand(), c.memStatsCommand(), c.goalCommand(),
		c.useCommand(), c.rateCommand(), c.relateCommand(), c.learnCommand(), c.auditCommand(), c.exportCommand(), c.importCommand(),
		c.memIndexCommand(), c.rebuildCommand(), c.migrateEmbeddingsCommand(), c.encryptionCommands())
	return cmd
}

// meantSubcommand refuses "mem serch words": unquoted words whose first is a subcommand with a typing error. Quoted
// words are one argument and never taken for a command.
func meantSubcommand(cmd *cobra.Command, args []string) error {
	names := slices.DeleteFunc(commandNames(cmd), func(name string) bool { return len(name) < 5 })
	meant := nearest(args[0], names)
	if len(args) < 2 || meant == "" || meant == args[0] || strings.Contains(args[0], " ") {
		return nil
	}
	return usageError(fmt.Sprintf("Did you mean '%s %s'? To recall these words, quote them.", cmd.CommandPath(), meant),
		"unknown command '%s' for %s", args[0], cmd.CommandPath())
}

// recall prints the list (CLI-009).
func (c *cli) recall(cmd *cobra.Command, query string, f *searchFlags) error {
	result, err := c.search(cmd.Context(), query, f, true)
	if err != nil {
		return err
	}
	if c.json {
		return c.printResult(result)
	}
	if len(result.Hits) == 0 {
		return c.nothingFound(query, result.Notes, f)
	}
	view := hitView{git: !f.noGit, now: c.now()}
	for _, line := range view.list(query, result.Hits) {
		c.hanging(line, 5)
	}
	c.notes(result.Notes)
	return nil
}

// notes says under a result what it lacks.
func (c *cli) notes(notes []string) {
	if len(notes) > 0 {
		fmt.Fprintln(c.out)
	}
	for _, note := range notes {
		c.wrapped("Note: ", note)
	}
}

// wrapped prints a sentence after a label, broken to the terminal's width and aligned behind the label.
func (c *cli) wrapped(label, sentence string) {
	c.hanging(label+display.Clean(sentence), display.Cells(label))
}

// hanging prints a line, broken to the terminal's width; what follows the first line begins at cell at.
func (c *cli) hanging(line string, at int) {
	if c.width == 0 {
		fmt.Fprintln(c.out, line)
		return
	}
	for _, part := range display.Hang(line, at, c.width) {
		fmt.Fprintln(c.out, part)
	}
}

// nothingFound helps on from an empty result (DSP-020).
func (c *cli) nothingFound(query string, notes []string, f *searchFlags) error {
	c.wrapped("", fmt.Sprintf("No relevant results found for %q.", display.Cut(query, 80)))
	c.notes(notes)
	fmt.Fprintln(c.out)
	hints := []string{"Try fewer words, or an identifier as it is written in the code."}
	if len(f.types) > 0 {
		hints = append(hints, "Leave --type out to search everything.")
	}
	for _, hint := range append(hints, `See what is indexed with "aurora status", and why not with "aurora doctor".`) {
		c.wrapped("  - ", hint)
	}
	return errNothing
}
