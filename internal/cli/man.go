package cli

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// manCommand writes manual pages.
func manCommand(c *app.App) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [command]",
		Short: "Print the manual page of a command, or write all of them to a folder",
		Example: `  aurora man | man -l -
  aurora man mem search | man -l -
  aurora man --dir ~/.local/share/man/man1`,
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if at, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 {
				return app.CommandNames(at), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			root.InitDefaultHelpCmd()
			if dir != "" {
				forManual(root)
				return writeManual(c, root, dir)
			}
			of, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return app.NoSuchCommand(of, append(rest, args[len(args)-1])[:1])
			}
			forManual(root)
			return doc.GenMan(of, manHeader(), c.Out)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write the pages of all commands there")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

// manHeader has the date of the build, when that is known: pages of one build are the same bytes. For who packages another
// build, SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch/) says the date.
func manHeader() *doc.GenManHeader {
	b := app.ReadBuild()
	header := &doc.GenManHeader{Section: "1", Source: "AURORA " + b.Version, Manual: "AURORA"}
	if made, err := time.Parse("2006-01-02", b.Date[:min(len(b.Date), 10)]); err == nil {
		header.Date = &made
	}
	return header
}

func writeManual(c *app.App, root *cobra.Command, dir string) error {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = doc.GenManTree(root, manHeader(), dir)
	}
	if err != nil {
		return app.Failure("Name a folder that you may write to.", err)
	}
	pages := countPages(root)
	if !c.JSON {
		fmt.Fprintf(c.Out, "%s written to %s\n", display.Count(pages, "page"), display.Clean(dir))
		return nil
	}
	return c.PrintJSON(map[string]int{"pages": pages})
}

func countPages(cmd *cobra.Command) int {
	pages := 1
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			pages += countPages(sub)
		}
	}
	return pages
}

// forManual makes Markdown, which the library expects, of the texts of a command and of those below it: what means
// something there is to say itself, and lines that begin with blanks are to stay lines.
func forManual(cmd *cobra.Command) {
	cmd.DisableAutoGenTag = true
	name, args, _ := strings.Cut(cmd.Use, " ")
	cmd.Use = strings.TrimSpace(name + " " + escapeMarkdown(args))
	cmd.Short, cmd.Long = escapeMarkdown(cmd.Short), markdownOf(cmd.Long)
	cmd.InitDefaultHelpFlag()
	cmd.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		_, usage := pflag.UnquoteUsage(f)
		f.Usage = escapeMarkdown(usage)
	})
	for _, sub := range cmd.Commands() {
		forManual(sub)
	}
}

func markdownOf(text string) string {
	var lines []string
	kept := false // within lines that stay
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		if keep := strings.HasPrefix(line, " "); keep != kept {
			lines, kept = append(lines, "```"), keep
			if !keep {
				lines = append(lines, "")
			}
		}
		if !kept {
			line = escapeMarkdown(line)
		}
		lines = append(lines, line)
	}
	if kept {
		lines = append(lines, "```")
	}
	return strings.Join(lines, "\n")
}

// markdown is what means something within a line, and lineStart what does so at its beginning.
var (
	markdown  = lazyregexp.New(`[\\` + "`" + `*_{}\[\]<>#|~&!]`)
	lineStart = lazyregexp.New(`^([0-9]*)([-+.)=:])`)
)

func escapeMarkdown(line string) string {
	return lineStart.ReplaceAllString(markdown.ReplaceAllString(line, `\$0`), `$1\$2`)
}
