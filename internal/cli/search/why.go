package search

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/spf13/cobra"
)

// WhyCommand tells why a line is as it is.
func WhyCommand(c *app.App) *cobra.Command {
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "why <path>:<line>[:<last line>]",
		Short: "Show why a line is as it is",
		Long: `Show the commits that wrote a line or a range of lines, followed through renames, moves and reformatting, with their
messages, issues and pull requests, the change before, and the notes about the lines. Commits that .git-blame-ignore-revs lists
are passed over.`,
		Example: `  aurora why cart/cart.go:12
  aurora why cart/cart.go:12:30 --json`,
		Args: app.UsageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return why(c, cmd, args[0], timeout) },
	}
	app.AddTimeout(cmd, &timeout)
	return cmd
}

func why(c *app.App, cmd *cobra.Command, subject string, timeout time.Duration) error {
	path, line, last := SplitPlace(subject)
	if line == 0 {
		return app.UsageError("Give path:line, such as cart/cart.go:12.", "'%s' is no line of a file", subject)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("find %s: %w", path, err)
	}
	project, err := workspace.OpenAnswers(cmd.Context(), c, timeout)
	if err != nil {
		return err
	}
	defer project.Close()
	result, err := api.Why.Call(cmd.Context(), project.Client, &api.WhyParams{Path: abs, Line: line, EndLine: last})
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(result)
	}
	printWhy(c, result)
	return nil
}

// printWhy prints the answer for a terminal: the lines, what is remembered, the commits with their messages, the change before.
func printWhy(c *app.App, r *api.WhyResult) {
	place := fmt.Sprintf("%s:%d", r.Path, r.Line)
	if r.EndLine > r.Line {
		place += fmt.Sprintf("-%d", r.EndLine)
	}
	fmt.Fprintln(c.Out, c.Bold(display.Clean(place)))
	for i := range r.Records {
		record := &r.Records[i]
		text := "Remembered " + display.Ago(api.Time(record.Date), c.Now())
		if record.Author != "" {
			text += " by " + record.Author
		}
		text += ": " + strings.Join(strings.Fields(record.Content), " ")
		if record.Warning != "" {
			text += " (" + record.Warning + ")"
		}
		c.Wrapped("  ", text)
	}
	for i := range r.Commits {
		commit := &r.Commits[i]
		part := ""
		if all := r.EndLine - r.Line + 1; commit.Lines < all {
			part = fmt.Sprintf(" (%d of %s)", commit.Lines, display.Count(all, "line"))
		}
		fmt.Fprintln(c.Out)
		printCommit(c, "", commit, part)
		if commit.MergedBy != "" {
			c.Wrapped("  Merged with ", wording.MergedWith(commit.MergedBy))
		}
		printBody(c, commit)
	}
	if r.Before != nil {
		fmt.Fprintln(c.Out)
		printCommit(c, "Before that: ", r.Before, "")
	}
	switch {
	case r.Uncommitted == 1:
		fmt.Fprintln(c.Out, "\n1 line is in no commit yet.")
	case r.Uncommitted > 1:
		fmt.Fprintf(c.Out, "\n%s are in no commit yet.\n", display.Count(r.Uncommitted, "line"))
	}
	c.Notes(r.Notes)
}

// bodyLines is how many lines of a message are shown.
const bodyLines = 12

// printBody prints the message of a commit behind its subject, without its empty lines, cut where it is long.
func printBody(c *app.App, commit *api.WhyCommit) {
	lines := slices.DeleteFunc(wording.CommitBody(commit.Body), func(line string) bool { return line == "" })
	for i, line := range lines {
		if i == bodyLines && len(lines) > bodyLines+1 {
			c.Wrapped("    ", fmt.Sprintf("… %s: git show %s", display.Count(len(lines)-i, "more line"), commit.Hash[:min(10, len(commit.Hash))]))
			return
		}
		c.Wrapped("    ", line)
	}
}

// printCommit prints a commit on a line, and the pages of its issues and pull requests below.
func printCommit(c *app.App, label string, commit *api.WhyCommit, part string) {
	line := fmt.Sprintf("%s  %s  by %s, %s%s", commit.Hash[:min(10, len(commit.Hash))], cmp.Or(commit.Subject, "(no subject)"),
		commit.Author, display.Ago(api.Time(commit.Date), c.Now()), part)
	c.Wrapped(label, line)
	for _, ref := range commit.References {
		if ref.URL != "" {
			c.Wrapped("  "+ref.Text+" ", ref.URL)
		}
	}
}
