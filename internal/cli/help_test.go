package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/spf13/cobra"
)

// helpExample finds the command lines in help text: indented, perhaps with variables before or a program before a pipe.
var helpExample = regexp.MustCompile(`(?m)^  (?:[A-Z_]+=\S+ )*(?:[^\n#]*?[|;(] *)?(aurora|aur) +([^\n]*)`)

// TestHelpExamples holds every example of the help against the command tree: the command, its flags and its arguments.
func TestHelpExamples(t *testing.T) {
	count := 0
	everyCommand(rootCommand((&app.App{}), "aurora"), nil, func(cmd *cobra.Command, _ []string) {
		for _, m := range helpExample.FindAllStringSubmatch(cmd.Long+"\n"+cmd.Example, -1) {
			count++
			if end := strings.IndexByte(m[2], ')'); end >= 0 && !strings.Contains(m[2][:end], "(") {
				m[2] = m[2][:end] // it stood in $( )
			}
			if problem := typed(m[2]); problem != "" {
				t.Errorf("%s: %s %s: %s", cmd.CommandPath(), m[1], m[2], problem)
			}
			if problem := parsed(shellWords(m[2])); problem != nil {
				t.Errorf("%s: %s %s: %v", cmd.CommandPath(), m[1], m[2], problem)
			}
		}
	})
	if count < 80 {
		t.Errorf("only %d examples were found; does the test still see them?", count)
	}
}

// shellWords are the words of the first command of a line, as a shell sees them.
func shellWords(line string) []string {
	var list []string
	word, in, quote := "", false, rune(0)
	for _, r := range line + " " {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '"' || r == '\'':
			quote, in = r, true
		case strings.ContainsRune("|><;)#&", r):
			return list
		case r == ' ':
			if in {
				list = append(list, word)
			}
			word, in = "", false
		default:
			word, in = word+string(r), true
		}
	}
	return list
}

// parsed reads a command line as far as that goes without doing anything.
func parsed(words []string) error {
	root := rootCommand((&app.App{}), "aurora")
	cmd, rest, err := root.Find(withCommand(root, words))
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	if err := cmd.ValidateRequiredFlags(); err != nil {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// TestHelpGroups has every command stand under one heading, and no heading name what is not there.
func TestHelpGroups(t *testing.T) {
	root := rootCommand((&app.App{}), "aurora")
	root.InitDefaultHelpCmd()
	everyCommand(root, nil, func(cmd *cobra.Command, _ []string) {
		for _, group := range app.GroupsOf(cmd) {
			if group.Title == "More" {
				t.Errorf("%s: these commands stand under no heading: %v", cmd.CommandPath(), group.Commands)
			}
			for _, name := range group.Commands {
				if app.Subcommand(cmd, name) == nil {
					t.Errorf("%s: %q names %s, which is no command", cmd.CommandPath(), group.Title, name)
				}
			}
		}
	})
}

// TestHelpReadsWell holds the form of every help text: short descriptions that are sentences without an end, lines that fit a
// terminal, and an example wherever there are words to type.
func TestHelpReadsWell(t *testing.T) {
	for _, width := range []int{0, 20, 80, 200} {
		everyCommand(rootCommand((&app.App{}), "aurora"), []string{"aurora"}, func(cmd *cobra.Command, path []string) {
			if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") || cmd.Short[:1] != strings.ToUpper(cmd.Short[:1]) {
				t.Errorf("%s: Short is %q", cmd.CommandPath(), cmd.Short)
			}
			p := &project{t: t, width: width}
			got := p.run(append(slices.Clone(path), "--help")...)
			if got.code != app.ExitOK || got.err != "" || !strings.Contains(got.out, "Usage:\n") {
				t.Errorf("%s --help: %s", cmd.CommandPath(), got)
			}
			if len(cmd.Commands()) == 0 && strings.Contains(cmd.Use, "<") && !cmd.HasExample() && cmd.Long == "" {
				t.Errorf("%s takes words and has neither an example nor an explanation", cmd.CommandPath())
			}
			limit := map[int]int{0: app.HelpWidth, 20: 40, 80: 80, 200: app.MaxHelpWidth}[width]
			for line := range strings.Lines(got.out) {
				line = strings.TrimRight(line, "\n")
				if display.Cells(line) > limit && !strings.Contains(cmd.Example+cmd.Long, strings.TrimSpace(line)) {
					t.Errorf("%s --help at %d: a line of %d cells: %q", cmd.CommandPath(), width, display.Cells(line), line)
				}
			}
		})
	}
}

// TestCommandCount holds the size of the surface: other spellings of a command do not count, as aurora version of --version, nor the
// shells of completion, nor what serve alone starts.
func TestCommandCount(t *testing.T) {
	count := 0
	everyCommand(rootCommand(&app.App{}, "aurora"), nil, func(cmd *cobra.Command, _ []string) {
		uncounted := app.IsSame(cmd) || cmd.CommandPath() == "aurora version" || cmd.CommandPath() == "aurora daemon run"
		if cmd.HasParent() && !uncounted && cmd.Parent().Name() != "completion" {
			count++
		}
	})
	if count > 60 {
		t.Errorf("%d commands; merge some, or put an option on one that is there", count)
	}
	t.Logf("%d commands", count)
}
