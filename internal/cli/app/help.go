package app

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A helpGroup is a heading over commands, in the order in which a newcomer needs them.
type helpGroup struct {
	Title    string
	Commands []string
}

// helpGroups are the headings of commands with many subcommands, by the command's path without the program's name.
var helpGroups = map[string][]helpGroup{
	"": {
		{"Search, ask and remember", []string{"search", "ask", "remember", "forget", "related", "why", "review", "context", "mem", "team"}},
		{"Project and index", []string{"status", "index", "doctor", "trust"}},
		{"Editors and agents", []string{"setup", "serve", "mcp", "daemon", "agents", "headless"}},
		{"History and cost", []string{"history", "logs", "budget", "report"}},
		{"Settings and setup", []string{"config", "completion", "man", "help", "version", "uninstall"}},
	},
	"mem": {
		{"Look", []string{"show", "stats", "goal"}},
		{"Teach", []string{"edit", "rate", "relate"}},
		{"Keep", []string{"audit", "export", "import", "encryption", "restore-backup"}},
	},
}

// Cells of help text: what nobody tells is taken for a usual terminal, and no line gets so long that it is hard to read.
const (
	HelpWidth    = DefaultWidth
	MaxHelpWidth = 100
	minHelpWidth = 20
)

// OnlyGroups marks commands that do nothing without a subcommand.
var OnlyGroups = map[string]string{"groups": "yes"}

// ShowHelp is what such a command does.
func ShowHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// helpCells is the width of help text.
func (c *App) helpCells() int {
	if c.Width == 0 {
		return HelpWidth
	}
	return min(max(c.Width, minHelpWidth), MaxHelpWidth)
}

// UseHelp has every command below root explain itself.
func (c *App) UseHelp(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		about := cmd.Long
		if about == "" {
			about = cmd.Short + "."
		}
		about, _, _ = strings.Cut(about, "\n\n"+ExitHelp) // which comes last
		for _, line := range reflow(about, c.helpCells()) {
			fmt.Fprintln(c.Out, line)
		}
		fmt.Fprintln(c.Out)
		c.usage(c.Out, cmd)
	})
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		c.usage(cmd.OutOrStderr(), cmd)
		return nil
	})
}

// usage writes how a command is called.
func (c *App) usage(w io.Writer, cmd *cobra.Command) {
	width := c.helpCells()
	heading := func(title string) { fmt.Fprintf(w, "\n%s\n", c.Bold(title+":")) }
	fmt.Fprintf(w, "%s\n", c.Bold("Usage:"))
	for _, line := range UsageLines(cmd) {
		fmt.Fprintln(w, strings.Join(display.Hang("  "+line, 6, width), "\n"))
	}
	if len(cmd.Aliases) > 0 {
		heading("Aliases")
		fmt.Fprintf(w, "  %s\n", cmd.NameAndAliases())
	}
	if cmd.HasExample() {
		heading("Examples")
		fmt.Fprintln(w, strings.TrimRight(cmd.Example, "\n"))
	}
	for _, group := range GroupsOf(cmd) {
		heading(group.Title)
		for _, name := range group.Commands {
			if sub := Subcommand(cmd, name); sub != nil {
				c.entry(w, name, sub.Short, cmd, width)
			}
		}
	}
	if cmd.HasAvailableLocalFlags() {
		heading("Flags")
		fmt.Fprint(w, flagUsages(cmd.LocalFlags(), width))
	}
	c.inherited(w, cmd, width)
	if !cmd.HasParent() {
		heading(strings.TrimSuffix(exitTitle, ":"))
		fmt.Fprintln(w, exitCodes)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintln(w)
		for _, line := range display.Wrap(fmt.Sprintf(`Use "%s <command> --help" for details of a command.`, cmd.CommandPath()), width) {
			fmt.Fprintln(w, line)
		}
	}
}

// inherited names the flags of every command, which the program's own help describes, and describes those of the group that a command is in.
func (c *App) inherited(w io.Writer, cmd *cobra.Command, width int) {
	if !cmd.HasAvailableInheritedFlags() {
		return
	}
	root := cmd.Root()
	ofGroup := pflag.NewFlagSet("", pflag.ContinueOnError)
	var names []string
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Hidden:
		case root.PersistentFlags().Lookup(f.Name) != f:
			ofGroup.AddFlag(f)
		case f.Shorthand != "":
			names = append(names, "-"+f.Shorthand)
		default:
			names = append(names, "--"+f.Name)
		}
	})
	if ofGroup.HasAvailableFlags() {
		fmt.Fprintf(w, "\n%s\n%s", c.Bold("Flags of "+cmd.Parent().CommandPath()+":"), flagUsages(ofGroup, width))
	}
	if len(names) > 0 {
		line := fmt.Sprintf("%s %s (see %s --help)", c.Bold("Flags of every command:"), strings.Join(names, ", "), root.Name())
		fmt.Fprintf(w, "\n%s\n", strings.Join(display.Hang(line, 2, width), "\n"))
	}
}

// UsageLines are the ways to call a command.
func UsageLines(cmd *cobra.Command) []string {
	below := cmd.CommandPath() + " <command>"
	switch {
	case !cmd.HasParent() || cmd.Annotations["groups"] != "":
		return []string{below}
	case cmd.HasAvailableSubCommands():
		return []string{cmd.UseLine(), below}
	}
	return []string{cmd.UseLine()}
}

// entry is a subcommand in a list, its description beside it or, where that would be narrow, below it.
func (c *App) entry(w io.Writer, name, about string, parent *cobra.Command, width int) {
	column := 2
	for _, sub := range parent.Commands() {
		column = max(column, len(sub.Name())+4)
	}
	if width-column < 30 {
		fmt.Fprintf(w, "  %s\n%s\n", name, strings.Join(display.Hang("    "+about, 4, width), "\n"))
		return
	}
	fmt.Fprintln(w, strings.Join(display.Hang(display.Pad("  "+name, column)+about, column, width), "\n"))
}

// GroupsOf are the available subcommands of a command under their headings; those that have none come last.
func GroupsOf(cmd *cobra.Command) []helpGroup {
	if !cmd.HasAvailableSubCommands() {
		return nil
	}
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	groups := slices.Clone(helpGroups[path])
	title := "Commands"
	if len(groups) > 0 {
		title = "More"
	}
	rest := helpGroup{Title: title}
	for _, sub := range cmd.Commands() {
		grouped := slices.ContainsFunc(groups, func(g helpGroup) bool { return slices.Contains(g.Commands, sub.Name()) })
		if !grouped && (sub.IsAvailableCommand() || sub.Name() == "help") {
			rest.Commands = append(rest.Commands, sub.Name())
		}
	}
	if len(rest.Commands) > 0 {
		groups = append(groups, rest)
	}
	return groups
}

// Subcommand is the one of that name, nil when there is none to show.
func Subcommand(cmd *cobra.Command, name string) *cobra.Command {
	for _, sub := range cmd.Commands() {
		if sub.Name() == name && (sub.IsAvailableCommand() || name == "help") {
			return sub
		}
	}
	return nil
}

// flagUsages lists flags, their descriptions wrapped beside them or, where that would be narrow, below them.
func flagUsages(flags *pflag.FlagSet, width int) string {
	text := flags.FlagUsages()
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		at := descriptionColumn(line)
		if at == 0 || width-at >= 30 {
			b.WriteString(strings.Join(display.Hang(line, at, width), "\n") + "\n")
			continue
		}
		b.WriteString(strings.TrimRight(line[:at], " ") + "\n")
		b.WriteString(strings.Join(display.Hang("    "+line[at:], 4, width), "\n") + "\n")
	}
	return b.String()
}

// descriptionColumn is where the description of a flag begins: behind the last gap of three blanks that the list has.
func descriptionColumn(line string) int {
	dashes := strings.Index(line, "--")
	if dashes < 0 {
		return 0
	}
	gap := strings.Index(line[dashes:], "   ")
	if gap < 0 {
		return 0
	}
	at := dashes + gap
	return at + len(line[at:]) - len(strings.TrimLeft(line[at:], " "))
}

// reflow breaks paragraphs to a width. Indented lines stay as they are, as far as they fit.
func reflow(s string, width int) []string {
	var lines, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			lines = append(lines, display.Wrap(strings.Join(paragraph, " "), width)...)
			paragraph = nil
		}
	}
	for _, line := range strings.Split(strings.TrimRight(s, "\n "), "\n") {
		switch {
		case line == "":
			flush()
			lines = append(lines, "")
		case strings.HasPrefix(line, " "):
			flush()
			lines = append(lines, line)
		default:
			paragraph = append(paragraph, line)
		}
	}
	flush()
	return lines
}
