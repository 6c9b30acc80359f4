package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// rootCommand is the whole command tree. program is what the person typed: aurora or aur.
func (c *cli) rootCommand(program string) *cobra.Command {
	name := "aurora"
	if base := strings.TrimSuffix(filepath.Base(program), ".exe"); base == "aur" {
		name = base
	}
	unattended, versionWanted := &headlessFlags{}, false
	root := &cobra.Command{
		Use:   name,
		Short: "An editor sidecar that remembers: code search, memory and answers",
		Long:  "AURORA indexes a project, searches it, remembers what was decided and answers from both.\nEditors start it as \"aurora serve\"; the other commands do the same in a terminal.\n\n" + exitHelp,
		Args:  noSuchCommand,
		Example: `  aurora mem                                        # search while you type
  aurora mem search "token expiry"                  # a table of code and memory
  aurora query "where is parseConfig defined?"      # an answer with its sources
  aurora mem remember "Retries use jitter" --source net/retry.go:12`,

		PersistentPreRunE: func(*cobra.Command, []string) error { return c.overrides.apply(c) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case unattended.on:
				return c.headless(cmd, unattended)
			case versionWanted:
				return c.printVersion()
			}
			return cmd.Help()
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(c.in)
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.SetFlagErrorFunc(flagError)
	c.globalFlags(root)
	unattended.addToRoot(root)
	root.Flags().BoolVar(&versionWanted, "version", false, "print the version, as aurora version does")
	c.useHelp(root)
	root.AddCommand(
		c.serveCommand(),
		c.indexTreeCommand(),
		c.memCommand(),
		c.queryCommand(),
		c.relatedCommand(),
		c.contextCommand(),
		c.statusCommand(),
		c.mcpCommand(),
		c.agentsCommands(),
		c.trustCommand(),
		c.configCommands(),
		c.daemonCommands(),
		c.budgetCommand(),
		c.historyCommands(),
		c.logsCommand(),
		c.headlessCommands(),
		c.doctorCommand(),
		c.reportCommands(),
		c.devCommands(),
		c.manCommand(),
		c.uninstallCommand(),
		c.versionCommand(),
	)
	root.AddCommand(c.reasonCommands()...)
	refuseUnknownShells(root)
	completeNoFiles(root)
	return root
}

// flagGroup matches the library's words for flags that exclude each other, or need each other.
var flagGroup = lazyregexp.New(`^if any flags in the group \[([^\]]*)\] are set (none of the others can be|they must all be set)`)

// flagMissing matches the library's words for flags that a command can't do without.
var flagMissing = lazyregexp.New(`^required flag\(s\) "(.*)" not set$`)

// flagRule makes a usage error of flags that don't go together, or are missing.
func flagRule(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	if missing := flagMissing.FindStringSubmatch(err.Error()); missing != nil {
		return usageError(helpFor(cmd), "%s needs --%s", cmd.CommandPath(), strings.ReplaceAll(missing[1], `", "`, " and --"))
	}
	found := flagGroup.FindStringSubmatch(err.Error())
	if found == nil {
		return err
	}
	names := "--" + strings.ReplaceAll(found[1], " ", ", --")
	if strings.HasPrefix(found[2], "none") {
		return usageError("Leave one of them out.", "these flags exclude each other: %s", names)
	}
	return usageError("", "these flags belong together: %s", names)
}

func (c *cli) globalFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.BoolVar(&c.json, "json", false, "print JSON for programs")
	flags.BoolVar(&c.noColor, "no-color", false, "print no colours; NO_COLOR in the environment does the same")
	flags.StringVar(&c.project, "project", "", "the project's `folder` (default: the nearest one above the current folder with .git or .aurora, else with a package file such as go.mod)")
	flags.StringVar(&c.policies, "lifespan-policies", "", "a JSON `file` that says how long memory is kept, over the configured one")
	_ = root.MarkPersistentFlagFilename("lifespan-policies", "json")
	flags.CountVarP(&c.verbose, "verbose", "v", "say more; twice for everything")
	c.overrides.add(root)
	_ = root.MarkPersistentFlagDirname("project")
}

// noSuchCommand refuses words after the program's name that are no subcommand, and names the nearest one.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	remedy := helpFor(cmd)
	if meant := nearest(args[0], commandNames(cmd)); meant != "" {
		remedy = fmt.Sprintf("Did you mean '%s'?", meant)
	}
	return usageError(remedy, "unknown command '%s'", args[0])
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
			names = append(names, sub.Aliases...)
		}
	}
	return names
}

// usageArgs makes what check refuses a usage error.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError(helpFor(cmd), "%s: %w", cmd.CommandPath(), err)
		}
		return nil
	}
}

// flagError makes a flag that can't be read a usage error, and names the flag that was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	remedy := helpFor(cmd)
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if meant := nearest(unknown.GetSpecifiedName(), names); meant != "" {
			remedy = fmt.Sprintf("Did you mean --%s?", meant)
		}
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		flag := invalid.GetFlag()
		return usageError(remedy, "--%s must be %s (got %q)", flag.Name, valueSort(flag.Value.Type()), invalid.GetValue())
	}
	return usageError(remedy, "%s: %w", cmd.CommandPath(), err)
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

func helpFor(cmd *cobra.Command) string {
	return fmt.Sprintf("See: %s --help", cmd.CommandPath())
}
