package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/manual"
	"github.com/spf13/cobra"
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
			if dir != "" {
				return writeManual(c, root, dir)
			}
			of, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return app.NoSuchCommand(of, append(rest, args[len(args)-1])[:1])
			}
			_, err = c.Out.Write(manual.Page(of, manHeader()))
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write the pages of all commands there")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

// manHeader has the date of the build, when that is known: pages of one build are the same bytes. For who packages another
// build, SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch/) says the date.
func manHeader() manual.Header {
	b := app.ReadBuild()
	header := manual.Header{Source: "AURORA " + b.Version, Manual: "AURORA", Date: time.Now()}
	if epoch, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		header.Date = time.Unix(epoch, 0).UTC()
	}
	if made, err := time.Parse("2006-01-02", b.Date[:min(len(b.Date), 10)]); err == nil {
		header.Date = made
	}
	return header
}

func writeManual(c *app.App, root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return app.Failure("Name a folder that you may write to.", err)
	}
	pages, header := 0, manHeader()
	var write func(*cobra.Command) error
	write = func(cmd *cobra.Command) error {
		if !cmd.IsAvailableCommand() && cmd != root {
			return nil
		}
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		if err := os.WriteFile(filepath.Join(dir, name), manual.Page(cmd, header), 0o644); err != nil {
			return app.Failure("Name a folder that you may write to.", err)
		}
		pages++
		for _, sub := range cmd.Commands() {
			if err := write(sub); err != nil {
				return err
			}
		}
		return nil
	}
	if err := write(root); err != nil {
		return err
	}
	if !c.JSON {
		fmt.Fprintf(c.Out, "%s written to %s\n", display.Count(pages, "page"), display.Clean(dir))
		return nil
	}
	return c.PrintJSON(map[string]int{"pages": pages})
}
