package agents

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/agents"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

// TrustCommand says which projects may run programs and send data elsewhere by what they bring along.
func TrustCommand(c *app.App) *cobra.Command {
	var yes, list, remove bool
	cmd := &cobra.Command{
		Use:   "trust [folder]",
		Short: "Allow this project's agents and settings to run programs and send data",
		Long: `Show what this project brings along that could run programs or send data elsewhere, its agents and some of the
settings in .aurora/config.json, and allow it from now on. Until then none of it is run or read by a model. Trust is
for one folder, kept in ~/.aurora/trusted.json, and holds for what the project brings along later, too.

--list shows the trusted projects; --remove withdraws the trust in this project, or in the one in a folder.`,
		Example: "  aurora trust\n  aurora trust --list\n  aurora trust --remove ~/src/old",
		Args:    app.UsageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case remove:
				return distrust(c, args)
			case len(args) > 0:
				return app.UsageError("Go to the folder, or give --project.", "a folder is taken with --remove only")
			case list:
				return listTrusted(c)
			}
			return trust(cmd.Context(), c, yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&list, "list", false, "list the trusted projects")
	cmd.Flags().BoolVar(&remove, "remove", false, "withdraw the trust")
	cmd.MarkFlagsMutuallyExclusive("yes", "list", "remove")
	return cmd
}

func openTrust(c *app.App) (*config.Trust, error) {
	home, err := config.Home()
	if err != nil {
		return nil, app.Failure("Set HOME or AURORA_HOME.", err)
	}
	return config.OpenTrust(home), nil
}

func trust(ctx context.Context, c *app.App, yes bool) error {
	root, err := workspace.ProjectRoot(c, ".")
	if err != nil {
		return err
	}
	kept, err := openTrust(c)
	if err != nil {
		return err
	}
	if kept.Trusted(root) {
		if c.JSON {
			return c.PrintJSON(trustJSON{root, true, []string{}})
		}
		fmt.Fprintf(c.Out, "%s is trusted.\n", display.Clean(config.Tilde(root)))
		return nil
	}
	if !yes && !c.AsksPerson() {
		return app.UsageError("In a script: aurora trust --yes", "no terminal to ask whether to trust %s", root)
	}
	brought, err := brought(ctx, c, root)
	if err != nil {
		return err
	}
	if !c.JSON {
		showBrought(c, root, brought)
	}
	if !yes {
		fmt.Fprintf(c.Err, "Trust %s? [y/N] ", display.Clean(config.Tilde(root)))
		answer, _, err := c.ReadLine(ctx)
		if err != nil {
			return err
		}
		if answer = strings.ToLower(answer); answer != "y" && answer != "yes" {
			fmt.Fprintln(c.Out, "Not trusted.")
			return &app.Exit{Code: app.ExitFailed}
		}
	}
	if _, err := kept.Set(root, true, c.Now()); err != nil {
		return app.Failure("", err)
	}
	if c.JSON {
		return c.PrintJSON(trustJSON{root, true, brought})
	}
	fmt.Fprintf(c.Out, "%s is trusted from now on. Editors that have it open take its settings with their next start.\n", display.Clean(config.Tilde(root)))
	return nil
}

// trustJSON is the result of "aurora trust --json".
type trustJSON struct {
	Folder  string   `json:"folder"`
	Trusted bool     `json:"trusted"`
	Brought []string `json:"brought"` // settings and agents that count from now on
}

// showBrought prints what the project's trust is about.
func showBrought(c *app.App, root string, brought []string) {
	if len(brought) == 0 {
		brought = []string{"nothing now; what it brings along later will count, too"}
	}
	fmt.Fprintf(c.Out, "%s brings along:\n", display.Clean(config.Tilde(root)))
	for _, line := range brought {
		fmt.Fprintln(c.Out, "  "+line)
	}
}

// brought are the settings and agents that the project's trust is about, in words.
func brought(ctx context.Context, c *app.App, root string) ([]string, error) {
	a, p := &agentsHere{folders: []string{root}}, &workspace.Parts{}
	settings, warnings, err := config.Load(config.LoadOptions{Project: root})
	if err != nil {
		c.Warn(err.Error())
	}
	if p.Home, err = config.Home(); err != nil {
		return nil, app.Failure("Set HOME or AURORA_HOME.", err)
	}
	a.registry = workspace.OpenAgents(c, settings, p.Home, slog.New(slog.DiscardHandler))
	l, err := a.registry.List(ctx, a.folders)
	if err != nil {
		return nil, err
	}
	lines := []string{}
	for _, w := range warnings {
		if w.Guarded {
			lines = append(lines, "setting "+display.Clean(w.Key))
		}
	}
	for i := range l.Agents {
		if d := &l.Agents[i]; d.Origin == agents.FromProject {
			lines = append(lines, "agent   "+display.Clean(d.ID)+": "+display.Clean(whatRuns(d)))
		}
	}
	return lines, nil
}

// whatRuns says what an agent does to this machine.
func whatRuns(d *agents.Definition) string {
	switch {
	case d.Type == agents.Builtin:
		return "instructions for the model, " + filepath.Base(d.Source)
	case d.Endpoint != "":
		return "sends questions and code to " + d.Endpoint
	}
	return "runs " + strings.Join(append([]string{d.Path}, d.Args...), " ")
}

func listTrusted(c *app.App) error {
	kept, err := openTrust(c)
	if err != nil {
		return err
	}
	list, err := kept.List()
	if err != nil {
		return app.Failure("", err)
	}
	if c.JSON {
		return app.Found(len(list), c.PrintJSON(slices.Concat([]config.TrustedFolder{}, list)))
	}
	if len(list) == 0 {
		fmt.Fprintln(c.Out, "No project is trusted.")
		return app.ErrNothing
	}
	for _, f := range list {
		fmt.Fprintf(c.Out, "%s  since %s\n", display.Clean(config.Tilde(f.Path)), f.Since.Format(time.DateOnly))
	}
	return nil
}

func distrust(c *app.App, args []string) error {
	kept, err := openTrust(c)
	if err != nil {
		return err
	}
	root := ""
	if len(args) == 1 {
		root, err = workspace.Absolute(args[0]) // the folder may be gone
	} else {
		root, err = workspace.ProjectRoot(c, ".")
	}
	if err != nil {
		return err
	}
	changed, err := kept.Set(root, false, c.Now())
	if err != nil {
		return app.Failure("", err)
	}
	if !changed {
		return &app.Exit{Code: app.ExitNothing, Remedy: "See: aurora trust --list", Err: fmt.Errorf("%s is not trusted", root)}
	}
	if c.JSON {
		return c.PrintJSON(trustJSON{root, false, []string{}})
	}
	fmt.Fprintf(c.Out, "%s is trusted no longer.\n", display.Clean(config.Tilde(root)))
	return nil
}

func questionOf(q soar.Question) engine.Question {
	return engine.Question{AgentID: q.AgentID, Text: q.Text, Choices: q.Choices, Default: q.Default}
}
