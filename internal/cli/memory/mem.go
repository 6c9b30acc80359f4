package memory

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/index"
	"github.com/aurora-sidecar/aurora/internal/cli/search"
	"github.com/spf13/cobra"
)

// MemCommand is explicit recall: aur mem "words" prints the list, its subcommands do the rest.
func MemCommand(c *app.App) *cobra.Command {
	f := &search.SearchFlags{}
	pick := false
	cmd := &cobra.Command{
		Use:     "mem [words]",
		Aliases: []string{"m", "memory"},
		Short:   "Recall from code and memory; inspect and maintain memory",
		Long: `Recall from code and memory. With plain words it prints a list, the most active first:

  aur mem "authentication bugs"
  aur m "authentication bugs"

Without words, in a terminal, it searches while you type: arrows choose, Enter opens the place in $VISUAL or $EDITOR or
prints it, Ctrl-Y prints it, Ctrl-R tells why it ranks where it does, Esc leaves. --pick does so with words to begin with.
"aur mem list", and no words where there is no terminal, list what is remembered, the newest first.

"aur mem search" prints the same as a table, as "aurora search --plain" does. Recall only reads: nothing is learned from it.
The names of the subcommands are reserved; to recall such a word, write: aur mem -- search`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if pick || len(args) == 0 && search.CanPick(c) {
				return search.Pick(cmd.Context(), c, strings.Join(args, " "), f)
			}
			if len(args) == 0 || len(args) == 1 && args[0] == "list" {
				return listRecords(cmd.Context(), c, f)
			}
			if err := suggestSubcommand(cmd, args); err != nil {
				return err
			}
			return search.Recall(c, cmd, strings.Join(args, " "), f)
		},
	}
	f.Add(cmd)
	cmd.Flags().BoolVar(&pick, "pick", false, "search while typing, and choose; what is chosen is printed where it can't be opened")
	cmd.AddCommand(app.Same(search.SearchCommand(c, true), "search"), showCommand(c), app.Same(RememberCommand(c), "remember"), app.Same(ForgetCommand(c), "forget"),
		memStatsCommand(c), goalCommand(c), editCommand(c), rateCommand(c), relateCommand(c), auditCommand(c), exportCommand(c), importCommand(c),
		app.Same(index.Command(c), "index"), encryptionCommand(c), restoreBackupCommand(c))
	return cmd
}

// meantSubcommand refuses "mem serch words": unquoted words whose first is a subcommand with a typing error. Quoted
// words are one argument and never taken for a command.
func suggestSubcommand(cmd *cobra.Command, args []string) error {
	names := slices.DeleteFunc(app.CommandNames(cmd), func(name string) bool { return len(name) < 5 })
	nearest := app.Nearest(args[0], names)
	if len(args) < 2 || nearest == "" || nearest == args[0] || strings.Contains(args[0], " ") {
		return nil
	}
	return app.UsageError(fmt.Sprintf("Did you mean: %s %s? To recall these words, quote them.", cmd.CommandPath(), nearest),
		"unknown command '%s' for %s", args[0], cmd.CommandPath())
}
