package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/agents"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

// trustCommand says which projects may run programs and send data elsewhere by what they bring along.
func (c *cli) trustCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Let this project's own agents and settings run programs and send data",
		Long: `Show what this project brings along that could run programs or send data elsewhere, its agents and some of the
settings in .aurora/config.json, and let it count from now on. Until then none of it is run or read by a model. Trust is
for this one folder, kept in ~/.aurora/trusted.json, and holds for what the project brings along later, too.`,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.trust(cmd.Context(), yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the trusted projects", Args: usageArgs(cobra.NoArgs),
			RunE: func(*cobra.Command, []string) error { return c.listTrusted() },
		},
		&cobra.Command{
			Use: "remove [folder]", Short: "Trust this project, or the one in a folder, no longer", Args: usageArgs(cobra.MaximumNArgs(1)),
			RunE: func(_ *cobra.Command, args []string) error { return c.distrust(args) },
		},
	)
	return cmd
}

func (c *cli) openTrust() (*config.Trust, error) {
	home, err := config.Home()
	if err != nil {
		return nil, failure("Set HOME or AURORA_HOME.", err)
	}
	return config.OpenTrust(home), nil
}

func (c *cli) trust(ctx context.Context, yes bool) error {
	root, err := c.projectRoot(".")
	if err != nil {
		return err
	}
	kept, err := c.openTrust()
	if err != nil {
		return err
	}
	if kept.Trusted(root) {
		if c.json {
			return c.printJSON(trustJSON{root, true, []string{}})
		}
		fmt.Fprintf(c.out, "%s is trusted.\n", display.Clean(config.Tilde(root)))
		return nil
	}
	if !yes && !c.asksPerson() {
		return usageError("In a script: aurora trust --yes", "nobody can be asked whether to trust %s", root)
	}
	brought, err := c.brought(ctx, root)
	if err != nil {
		return err
	}
	if !c.json {
		c.showBrought(root, brought)
	}
	if !yes {
		fmt.Fprintf(c.err, "Trust %s? [y/N] ", display.Clean(config.Tilde(root)))
		answer, _, err := c.readLine(ctx)
		if err != nil {
			return err
		}
		if answer = strings.ToLower(answer); answer != "y" && answer != "yes" {
			fmt.Fprintln(c.out, "Not trusted.")
			return &exit{code: exitNothing}
		}
	}
	if _, err := kept.Set(root, true, c.now()); err != nil {
		return failure("", err)
	}
	if c.json {
		return c.printJSON(trustJSON{root, true, brought})
	}
	fmt.Fprintf(c.out, "%s is trusted from now on. Editors that have it open take its settings with their next start.\n", display.Clean(config.Tilde(root)))
	return nil
}

// trustJSON is the result of "aurora trust --json".
type trustJSON struct {
	Folder  string   `json:"folder"`
	Trusted bool     `json:"trusted"`
	Brought []string `json:"brought"` // settings and agents that count from now on
}

// showBrought prints what the project's trust is about.
func (c *cli) showBrought(root string, brought []string) {
	if len(brought) == 0 {
		brought = []string{"nothing now; what it brings along later will count, too"}
	}
	fmt.Fprintf(c.out, "%s brings along:\n", display.Clean(config.Tilde(root)))
	for _, line := range brought {
		fmt.Fprintln(c.out, "  "+line)
	}
}

// brought are the settings and agents that the project's trust is about, in words.
func (c *cli) brought(ctx context.Context, root string) ([]string, error) {
	a, p := &agentsHere{folders: []string{root}}, &parts{}
	settings, warnings, err := config.Load(config.LoadOptions{Project: root})
	if err != nil {
		c.warn(err.Error())
	}
	if p.home, err = config.Home(); err != nil {
		return nil, failure("Set HOME or AURORA_HOME.", err)
	}
	a.Registry = c.openAgents(settings, p.home, slog.New(slog.DiscardHandler))
	l, err := a.List(ctx, a.folders)
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

func (c *cli) listTrusted() error {
	kept, err := c.openTrust()
	if err != nil {
		return err
	}
	list, err := kept.List()
	if err != nil {
		return failure("", err)
	}
	if c.json {
		return c.printJSON(slices.Concat([]config.TrustedFolder{}, list))
	}
	if len(list) == 0 {
		fmt.Fprintln(c.out, "No project is trusted.")
		return errNothing
	}
	for _, f := range list {
		fmt.Fprintf(c.out, "%s  since %s\n", display.Clean(config.Tilde(f.Path)), f.Since.Format(time.DateOnly))
	}
	return nil
}

func (c *cli) distrust(args []string) error {
	kept, err := c.openTrust()
	if err != nil {
		return err
	}
	root := ""
	if len(args) == 1 {
		root, err = absolute(args[0]) // the folder may be gone
	} else {
		root, err = c.projectRoot(".")
	}
	if err != nil {
		return err
	}
	changed, err := kept.Set(root, false, c.now())
	if err != nil {
		return failure("", err)
	}
	if !changed {
		return failure("See: aurora trust list", fmt.Errorf("%s is not trusted", root))
	}
	if c.json {
		return c.printJSON(trustJSON{root, false, []string{}})
	}
	fmt.Fprintf(c.out, "%s is trusted no longer.\n", display.Clean(config.Tilde(root)))
	return nil
}

func absolute(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", failure("The current folder is gone; go to one that exists.", err)
	}
	return abs, nil
}

func questionOf(q soar.Question) engine.Question {
	return engine.Question{AgentID: q.AgentID, Text: q.Text, Choices: q.Choices, Default: q.Default}
}
