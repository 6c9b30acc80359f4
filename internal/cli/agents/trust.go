package agents

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/aurora-sidecar/aurora/internal/trust"
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
for one folder, kept in ~/.aurora/trusted.json, and for what was shown: a definition, a setting or a program that is new
or has changed since waits until you have seen it. Only a person at a terminal, or in an editor, can give trust.
In a trusted project a model may have tests and builds run, in a sandbox without network (aurora doctor tries it).

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
			return approve(cmd.Context(), c, yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask; needs a terminal all the same")
	cmd.Flags().BoolVar(&list, "list", false, "list the trusted projects")
	cmd.Flags().BoolVar(&remove, "remove", false, "withdraw the trust")
	cmd.MarkFlagsMutuallyExclusive("yes", "list", "remove")
	return cmd
}

func openTrust(c *app.App) (workspace.Truster, error) {
	home, err := config.Home()
	if err != nil {
		return workspace.Truster{}, app.Failure("Set HOME or AURORA_HOME.", err)
	}
	return workspace.OpenTruster(c, home), nil
}

// approve shows what the project brings along and asks the person. Nobody else can answer: a script, a program that runs this
// one, and text on a pipe are refused, whatever the flags are.
func approve(ctx context.Context, c *app.App, yes bool) error {
	root, err := workspace.ProjectRoot(c, ".")
	if err != nil {
		return err
	}
	kept, err := openTrust(c)
	if err != nil {
		return err
	}
	r, err := kept.Review(ctx, root)
	if err != nil {
		return err
	}
	name := display.Clean(config.Tilde(root))
	if r.Trusted() {
		if c.JSON {
			return c.PrintJSON(trustJSON{root, true, []string{}})
		}
		fmt.Fprintf(c.Out, "%s is trusted.\n", name)
		return nil
	}
	if !c.InTTY || !c.ErrTTY {
		return app.UsageError("Run it yourself, in a terminal: aurora trust", "trust in %s is given by a person at a terminal", root)
	}
	brought := []string{}
	for _, change := range r.Changes {
		brought = append(brought, change.String())
	}
	showBrought(c.Err, name, r.Known, brought)
	if !yes {
		fmt.Fprintf(c.Err, "Trust %s? [y/N] ", name)
		answer, _, err := c.ReadLine(ctx)
		if err != nil {
			return err
		}
		if answer = strings.ToLower(answer); answer != "y" && answer != "yes" {
			fmt.Fprintln(c.Out, "Not trusted.")
			return &app.Exit{Code: app.ExitFailed}
		}
	}
	if err := kept.Approve(r); err != nil {
		return app.Failure("", err)
	}
	if c.JSON {
		return c.PrintJSON(trustJSON{root, true, brought})
	}
	fmt.Fprintf(c.Out, "%s is trusted from now on, as it is. Editors that have it open take its settings with their next start.\n", name)
	return nil
}

// trustJSON is the result of "aurora trust --json".
type trustJSON struct {
	Folder  string   `json:"folder"`
	Trusted bool     `json:"trusted"`
	Brought []string `json:"brought"` // settings and agents that count from now on
}

// showBrought prints what the project's trust is about.
func showBrought(to io.Writer, name string, known bool, brought []string) {
	switch {
	case known:
		fmt.Fprintf(to, "%s was trusted before; this is new or has changed since:\n", name)
	case len(brought) == 0:
		fmt.Fprintf(to, "%s brings nothing along now that could run programs or send data. A model may have its tests run, in a sandbox.\n", name)
	default:
		fmt.Fprintf(to, "%s brings along:\n", name)
	}
	for _, line := range brought {
		fmt.Fprintln(to, "  "+line)
	}
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
		return app.Found(len(list), c.PrintJSON(slices.Concat([]trust.Folder{}, list)))
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
	changed, err := kept.Withdraw(root)
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
