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
	flags.BoolVar(&c.NoColor, "no-color", false, "print no colours; NO_COLOR in the environment does the same")
	flags.StringVar(&c.Project, "project", "", "the project's `folder` (default: the nearest one above the current folder with .git or .aurora, else with a package file such as go.mod)")
	flags.StringVar(&c.Policies, "lifespan-policies", "", "a JSON `file` that says how long memory is kept, over the configured one")
	_ = root.MarkPersistentFlagFilename("lifespan-policies", "json")
	flags.CountVarP(&c.Verbose, "verbose", "v", "say more; twice for everything")
	c.Overrides.add(root)
	_ = root.MarkPersistentFlagDirname("project")
}

// NoSuchCommand refuses words after the program's name that are no subcommand, and names the nearest one.
func NoSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	remedy := HelpFor(cmd)
	if meant := Nearest(args[0], CommandNames(cmd)); meant != "" {
		remedy = fmt.Sprintf("Did you mean '%s'?", meant)
	}
	return UsageError(remedy, "unknown command '%s'", args[0])
}

func CommandNames(cmd *cobra.Command) []string {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
			names = append(names, sub.Aliases...)
		}
	}
	return names
}

// UsageArgs makes what check refuses a usage error.
func UsageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return UsageError(HelpFor(cmd), "%s: %w", cmd.CommandPath(), err)
		}
		return nil
	}
}

// FlagError makes a flag that can't be read a usage error, and names the flag that was probably meant.
func FlagError(cmd *cobra.Command, err error) error {
	remedy := HelpFor(cmd)
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if meant := Nearest(unknown.GetSpecifiedName(), names); meant != "" {
			remedy = fmt.Sprintf("Did you mean --%s?", meant)
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
