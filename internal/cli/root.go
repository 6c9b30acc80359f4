package cli

import (
	"path/filepath"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/admin"
	"github.com/aurora-sidecar/aurora/internal/cli/agents"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/ask"
	"github.com/aurora-sidecar/aurora/internal/cli/index"
	"github.com/aurora-sidecar/aurora/internal/cli/memory"
	"github.com/aurora-sidecar/aurora/internal/cli/search"
	"github.com/aurora-sidecar/aurora/internal/cli/serve"
	"github.com/aurora-sidecar/aurora/internal/cli/team"
	"github.com/aurora-sidecar/aurora/internal/cli/uninstall"
	"github.com/spf13/cobra"
)

// rootCommand is the whole command tree. program is what the person typed: aurora or aur.
func rootCommand(c *app.App, program string) *cobra.Command {
	name := "aurora"
	if base := strings.TrimSuffix(filepath.Base(program), ".exe"); base == "aur" {
		name = base
	}
	unattended, versionWanted := &agents.HeadlessFlags{}, false
	root := &cobra.Command{
		Use:   name,
		Short: "An editor sidecar that remembers: code search, memory and answers",
		Long:  "AURORA indexes a project, searches it, remembers what was decided and answers from both.\nEditors start it as \"aurora serve\"; the other commands do the same in a terminal.\n\n" + app.ExitHelp,
		Args:  app.NoSuchCommand,
		Example: `  aurora search --pick                              # search while you type
  aurora "token expiry"                             # code and memory, as aurora search
  aurora ask "where is parseConfig defined?"        # an answer with its sources
  aurora remember "Retries use jitter" --source net/retry.go:12`,

		PersistentPreRunE: func(*cobra.Command, []string) error { return c.Overrides.Apply(c) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case unattended.On:
				return agents.Headless(c, cmd, unattended)
			case versionWanted:
				return printVersion(c)
			}
			return cmd.Help()
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(c.In)
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	root.SetFlagErrorFunc(app.FlagError)
	c.GlobalFlags(root)
	unattended.AddToRoot(root)
	root.Flags().BoolVar(&versionWanted, "version", false, "print the version, as aurora version does")
	c.UseHelp(root)
	root.AddCommand(
		serve.ServeCommand(c),
		index.TreeCommand(c),
		search.SearchCommand(c, false),
		ask.Command(c),
		memory.RememberCommand(c),
		memory.ForgetCommand(c),
		memory.MemCommand(c),
		search.RelatedCommand(c),
		search.WhyCommand(c),
		search.ReviewCommand(c),
		search.ContextCommand(c),
		admin.StatusCommand(c),
		serve.McpCommand(c),
		agents.SetupCommand(c),
		agents.AgentsCommands(c),
		agents.TrustCommand(c),
		team.Commands(c),
		admin.ConfigCommands(c),
		serve.DaemonCommands(c),
		admin.BudgetCommand(c),
		ask.HistoryCommand(c),
		admin.LogsCommand(c),
		agents.HeadlessCommands(c),
		admin.DoctorCommand(c),
		admin.ReportCommand(c),
		devCommand(c),
		manCommand(c),
		uninstall.UninstallCommand(c),
		versionCommand(c),
	)
	app.RefuseUnknownShells(root)
	app.CompleteNoFiles(root)
	return root
}

// devCommand has what is measured or done step by step. It is not on the first screen of help.
func devCommand(c *app.App) *cobra.Command {
	cmd := admin.DevCommand(c, append(ask.ReasonCommands(c), serve.DebugCommand(c), schemaCommand(c))...)
	cmd.Hidden = true
	return cmd
}
