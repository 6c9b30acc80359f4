package app

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func FirstSet(names ...string) string {
	for _, name := range names {
		if value := os.Getenv(name); strings.TrimSpace(value) != "" {
			return value
		}
	}
	return ""
}

// flagGroup matches the library's words for flags that exclude each other, or need each other.
var flagGroup = lazyregexp.New(`^if any flags in the group \[([^\]]*)\] are set (none of the others can be|they must all be set)`)

// flagMissing matches the library's words for flags that a command can't do without.
var flagMissing = lazyregexp.New(`^required flag\(s\) "(.*)" not set$`)

// FlagRule makes a usage error of flags that don't go together, or are missing.
func FlagRule(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	if missing := flagMissing.FindStringSubmatch(err.Error()); missing != nil {
		return UsageError(HelpFor(cmd), "%s needs --%s", cmd.CommandPath(), strings.ReplaceAll(missing[1], `", "`, " and --"))
	}
	found := flagGroup.FindStringSubmatch(err.Error())
	if found == nil {
		return err
	}
	names := "--" + strings.ReplaceAll(found[1], " ", ", --")
	if strings.HasPrefix(found[2], "none") {
		return UsageError("Leave one of them out.", "these flags exclude each other: %s", names)
	}
	return UsageError("", "these flags belong together: %s", names)
}

func (c *App) GlobalFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.BoolVar(&c.JSON, "json", false, "print JSON for programs")
	flags.StringVar(&c.Project, "project", "", "the project's `folder` (default: the nearest one above the current folder with .git or .aurora, else with a package file such as go.mod)")
	flags.StringVar(&c.Policies, "lifespan-policies", "", "a JSON `file` that says how long memory is kept, over the configured one")
	_ = root.MarkPersistentFlagFilename("lifespan-policies", "json")
	flags.CountVarP(&c.Verbose, "verbose", "v", "print more; twice for everything")
	c.Overrides.add(root)
	_ = root.MarkPersistentFlagDirname("project")
}

// synonyms are words that people type for commands that are called otherwise; below a command with its name before.
var synonyms = map[string]string{
	"find": "search", "grep": "search", "lookup": "search", "recall": "search --recall", "question": "ask", "answer": "ask", "explain": "ask", "note": "remember",
	"save": "remember", "store": "remember", "add": "remember", "delete": "forget", "remove": "forget", "rm": "forget", "restore": "forget --undo", "undo": "forget --undo",
	"settings": "config", "setup": "config", "check": "doctor", "diagnose": "doctor", "reindex": "index", "rebuild": "index rebuild", "refs": "related",
	"references": "related", "callers": "related", "lsp": "serve", "server": "serve", "start": "serve", "stop": "daemon stop", "cost": "budget", "costs": "budget",
	"usage": "report", "stats": "report", "log": "logs", "assess": "dev assess", "decompose": "dev decompose", "verify": "dev verify",
	"report daily": "--by day", "report day": "--by day", "report monthly": "--by month", "report month": "--by month", "report total": "--by total",
}

// NoSuchCommand refuses words after a group's name that are no subcommand, and names the nearest one.
func NoSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	remedy := HelpFor(cmd)
	if !cmd.HasParent() {
		remedy = fmt.Sprintf("To search for it: %s search %q", cmd.CommandPath(), args[0])
	}
	if name := nearestCommand(cmd, args[0]); name != "" {
		remedy = "Did you mean: " + cmd.CommandPath() + " " + name
	}
	return UsageError(remedy, "unknown command '%s'", args[0])
}

// nearestCommand is the subcommand that a word is probably a misspelling of, or another word for; "" when it is like none.
func nearestCommand(cmd *cobra.Command, word string) string {
	if name := Nearest(word, CommandNames(cmd)); name != "" {
		return name
	}
	typed := strings.ToLower(word)
	if cmd.HasParent() {
		typed = cmd.Name() + " " + typed
	}
	return synonyms[typed]
}

// IsNearCommand reports whether a word is like the name of a subcommand.
func IsNearCommand(cmd *cobra.Command, word string) bool { return nearestCommand(cmd, word) != "" }

// sameAs marks a hidden command that is another spelling of a listed one.
const sameAs = "sameAs"

// Same hides cmd: it is the command at path in the tree, under another name.
func Same(cmd *cobra.Command, path string) *cobra.Command {
	cmd.Hidden = true
	cmd.Annotations = map[string]string{sameAs: path}
	return cmd
}

// IsSame reports whether cmd is only another spelling of a listed command.
func IsSame(cmd *cobra.Command) bool { return cmd.Annotations[sameAs] != "" }

// Missing needs at least one word, and names what it is and an example of it.
func Missing(what, example string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return nil
		}
		return UsageError("Try: "+example, "missing %s", what)
	}
}

func CommandNames(cmd *cobra.Command) []string {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() || IsSame(sub) {
			names = append(names, sub.Name())
			names = append(names, sub.Aliases...)
		}
	}
	return names
}

// UsageArgs makes what check refuses a usage error that names the missing or the surplus word.
func UsageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		if err == nil {
			return nil
		}
		wanted := placeholders.FindAllStringSubmatch(cmd.Use, -1)
		if len(args) < len(wanted) {
			return UsageError(firstExample(cmd), "missing %s", strings.ReplaceAll(wanted[len(args)][1], "|", " or "))
		}
		for n := len(args) - 1; n >= 0; n-- {
			if check(cmd, args[:n]) == nil {
				return UsageError(HelpFor(cmd), "unexpected argument '%s'", args[n])
			}
		}
		return UsageError(HelpFor(cmd), "%s: %w", cmd.CommandPath(), err)
	}
}

// placeholders are the words that a usage line asks for.
var placeholders = lazyregexp.New(`<([^>]+)>`)

// firstExample is a remedy that shows how a command is called.
func firstExample(cmd *cobra.Command) string {
	line, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
	if line = strings.TrimSpace(line); !strings.HasPrefix(line, "aurora ") {
		return HelpFor(cmd)
	}
	return "Try: " + line
}

// FlagError makes a flag that can't be read a usage error, and names the flag that was probably meant.
func FlagError(cmd *cobra.Command, err error) error {
	remedy := HelpFor(cmd)
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if words := cmd.Flags().Args(); !cmd.HasParent() && len(words) > 0 { // the flag is that of the command that was not found
			return NoSuchCommand(cmd, words)
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if nearest := Nearest(unknown.GetSpecifiedName(), names); nearest != "" {
			remedy = "Did you mean: --" + nearest
		}
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		flag := invalid.GetFlag()
		return UsageError(remedy, "--%s must be %s (got %q)", flag.Name, valueSort(flag.Value.Type()), invalid.GetValue())
	}
	return UsageError(remedy, "%s: %w", cmd.CommandPath(), err)
}

// valueSort says in words what a flag of a pflag type takes.
func valueSort(flagType string) string {
	switch flagType {
	case "int", "count":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "duration":
		return "a time such as 30s or 2m"
	}
	return "a " + flagType
}

func HelpFor(cmd *cobra.Command) string {
	return fmt.Sprintf("See: %s --help", cmd.CommandPath())
}

// AddTimeout adds the flag that bounds waiting for the index.
func AddTimeout(cmd *cobra.Command, timeout *time.Duration) {
	cmd.Flags().DurationVar(timeout, "timeout", 20*time.Second, "how long to wait for the index before answering from what there is")
}
