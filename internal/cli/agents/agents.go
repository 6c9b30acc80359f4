package agents

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/agents"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

// AgentsCommands look at the agents that questions can go to.
func AgentsCommands(c *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "agents",
		Short: "List, check and run agents",
		Long: `List, check and run the agents that questions can go to. They are looked for in the folders and files of
agents.discovery_paths: Markdown files of Claude Code, Amp, Droid and OpenCode, and registry files in JSON. Those of the
project count once you trust it: aurora trust. See docs/agents.md.`,
		Args: app.NoSuchCommand,
		RunE: app.ShowHelp, Annotations: app.OnlyGroups,
	}
	complete := func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		return completeAgents(c, cmd, args, typed)
	}
	root.AddCommand(
		agentsListCommand(c),
		&cobra.Command{
			Use: "show <id>", Short: "Show the definition and the state of an agent", Args: app.UsageArgs(cobra.ExactArgs(1)), ValidArgsFunction: complete,
			Example: "  aurora agents show todo-finder",
			RunE: onAgents(c, func(cmd *cobra.Command, a *agentsHere, args []string) error {
				return showAgent(cmd.Context(), c, a, args[0])
			}),
		},
		&cobra.Command{
			Use: "run <id> <task>", Short: "Give one agent a task and print its answer", Args: app.UsageArgs(cobra.MinimumNArgs(2)), ValidArgsFunction: complete,
			Long:    "Give one agent a task, without a model, and print its answer: the way to try an agent that you write. It gets no sources.",
			Example: `  aurora agents run todo-finder "Which TODOs are there about retries?"`,
			RunE: onAgents(c, func(cmd *cobra.Command, a *agentsHere, args []string) error {
				return runAgent(cmd.Context(), c, a, args[0], strings.Join(args[1:], " "))
			}),
		},
	)
	return root
}

func agentsListCommand(c *app.App) *cobra.Command {
	var refresh, check bool
	cmd := &cobra.Command{
		Use: "list", Short: "List agents and whether they can run", Args: app.UsageArgs(cobra.NoArgs),
		Long:    "List agents and whether they can run. With --check the exit code is 1 when a definition is wrong.",
		Example: "  aurora agents list\n  aurora agents list --check",
		RunE: onAgents(c, func(cmd *cobra.Command, a *agentsHere, _ []string) error {
			if check {
				return validateAgents(cmd.Context(), c, a)
			}
			return listAgents(cmd.Context(), c, a, refresh)
		}),
	}
	cmd.Flags().BoolVar(&refresh, "refresh", false, "read every definition again, and ask MCP servers for their tools")
	cmd.Flags().BoolVar(&check, "check", false, "print what is wrong with definitions instead")
	cmd.MarkFlagsMutuallyExclusive("refresh", "check")
	return cmd
}

// agentsHere are the registry and the project around the current folder.
type agentsHere struct {
	*agents.Registry
	settings *config.Settings
	folders  []string // none outside of a project
}

// onAgents adapts a command that works on agents.
func onAgents(c *app.App, run func(*cobra.Command, *agentsHere, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a, warnings, err := openAgentsHere(c)
		if err != nil {
			return err
		}
		for _, w := range warnings {
			c.Warn(w)
		}
		return run(cmd, a, args)
	}
}

func openAgentsHere(c *app.App) (*agentsHere, []string, error) {
	root, err := workspace.ProjectRoot(c, ".")
	if err != nil && c.Project != "" {
		return nil, nil, err
	}
	a, p := &agentsHere{}, &workspace.Parts{}
	if err == nil {
		a.folders = []string{root}
	} else {
		root = ""
	}
	if err := workspace.LoadSettings(c, p, workspace.Wiring{Root: root}); err != nil {
		return nil, nil, err
	}
	a.settings, a.Registry = p.Settings, workspace.OpenAgents(c, p.Settings, p.Home, slog.New(slog.DiscardHandler))
	return a, p.Warnings, nil
}

func completeAgents(c *app.App, cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	a, _, err := openAgentsHere(c)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []string
	if l, err := a.List(cmd.Context(), a.folders); err == nil {
		for i := range l.Agents {
			ids = append(ids, l.Agents[i].ID+"\t"+l.Agents[i].Description)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

func listAgents(ctx context.Context, c *app.App, a *agentsHere, refresh bool) error {
	read := a.List
	if refresh {
		read = a.Refresh
	}
	l, err := read(ctx, a.folders)
	if err != nil {
		return err
	}
	if c.AsksPerson() && a.AskForPath(l) {
		if l, err = askForAgents(ctx, c, a, l); err != nil {
			return err
		}
	}
	if c.JSON {
		return c.PrintJSON(l)
	}
	printAgents(c, l)
	return nil
}

// askForAgents asks, once, where agents are; then the model alone answers.
func askForAgents(ctx context.Context, c *app.App, a *agentsHere, l *agents.Listing) (*agents.Listing, error) {
	fmt.Fprint(c.Err, "No agents found. Please provide agent registry path: ")
	path, ok, err := c.ReadLine(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.Asked(); err != nil {
		c.Warn(err.Error())
	}
	if !ok || path == "" {
		return l, nil
	}
	if !strings.HasPrefix(path, "~/") {
		if path, err = workspace.Absolute(path); err != nil {
			return nil, err
		}
	}
	if err := a.Add(path); err != nil {
		return nil, app.Failure("Name it in agents.discovery_paths instead.", err)
	}
	if l, err = a.Refresh(ctx, a.folders); err == nil && l.Found() == 0 {
		c.Warn("no agents there either: " + path)
	}
	return l, err
}

func printAgents(c *app.App, l *agents.Listing) {
	table := display.Table{Columns: []display.Column{
		{Title: "Agent", Min: 12, Keep: 9}, {Title: "Type", Keep: 6}, {Title: "From", Keep: 7}, {Title: "Can", Min: 14, Keep: 5},
		{Title: "Success", Keep: 4}, {Title: "State", Min: 9, Keep: 8},
	}}
	for i := range l.Agents {
		d := &l.Agents[i]
		table.Rows = append(table.Rows, []string{
			display.Clean(d.ID), d.Type, d.Origin, display.Clean(strings.Join(d.Capabilities, ", ")), success(d), display.Clean(stateOf(d)),
		})
	}
	notes := c.PrintTable(table)
	for _, folder := range l.Untrusted() {
		notes = append(notes, fmt.Sprintf("what %s brings along waits for your trust; to see it and decide: aurora trust", config.Tilde(folder)))
	}
	if n := len(l.Problems); n > 0 {
		notes = append(notes, display.Count(n, "problem")+" with definitions; see: aurora agents list --check")
	}
	if l.Found() == 0 {
		notes = append(notes, "no agents were found besides AURORA's own; the model works on every subgoal. See docs/agents.md for how to add one")
	}
	c.Notes(notes)
}

// success is the rate as people read it, with the number of runs behind it.
func success(d *agents.Definition) string {
	if d.Runs == 0 {
		return fmt.Sprintf("%.0f%%", 100*d.SuccessRate)
	}
	return fmt.Sprintf("%.0f%% of %d", 100*d.SuccessRate, d.Runs)
}

func stateOf(d *agents.Definition) string {
	if d.Ready {
		return "ready"
	}
	if strings.Contains(d.Problem, "aurora trust") {
		return "not trusted"
	}
	return d.Problem
}

// agentOf finds an agent by its id.
func agentOf(ctx context.Context, c *app.App, a *agentsHere, id string) (*agents.Definition, error) {
	l, err := a.List(ctx, a.folders)
	if err != nil {
		return nil, err
	}
	d, ok := l.Get(id)
	if ok {
		return d, nil
	}
	var ids []string
	for i := range l.Agents {
		ids = append(ids, l.Agents[i].ID)
	}
	remedy := "See: aurora agents list"
	if meant := app.Nearest(id, ids); meant != "" {
		remedy = fmt.Sprintf("Did you mean '%s'?", meant)
	}
	return nil, app.UsageError(remedy, "there is no agent '%s'", id)
}

func showAgent(ctx context.Context, c *app.App, a *agentsHere, id string) error {
	d, err := agentOf(ctx, c, a, id)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.PrintJSON(d)
	}
	fmt.Fprintln(c.Out, c.Bold(display.Clean(d.ID)))
	for _, row := range [][2]string{
		{"Does", d.Description}, {"Type", d.Type}, {"Program", strings.Join(append([]string{d.Path}, d.Args...), " ")}, {"Endpoint", d.Endpoint}, {"Tool", d.Tool},
		{"Can", strings.Join(d.Capabilities, ", ")}, {"Domains", strings.Join(d.Domains, ", ")}, {"Available", d.Availability},
		{"Success", success(d)}, {"From", fromOf(d)}, {"State", cmp.Or(d.Problem, "ready")},
	} {
		if strings.TrimSpace(row[1]) != "" {
			c.Wrapped("  "+display.Pad(row[0]+":", 11), row[1])
		}
	}
	return nil
}

func fromOf(d *agents.Definition) string {
	if d.Source == "" {
		return "AURORA itself"
	}
	return d.Origin + ", " + config.Tilde(d.Source)
}

func validateAgents(ctx context.Context, c *app.App, a *agentsHere) error {
	l, err := a.List(ctx, a.folders)
	if err != nil {
		return err
	}
	problems := slices.Clone(l.Problems)
	for i := range l.Agents {
		if d := &l.Agents[i]; !d.Ready && stateOf(d) != "not trusted" {
			problems = append(problems, agents.Problem{File: d.Source, Agent: d.ID, Message: d.Problem})
		}
	}
	wrong := 0
	for _, p := range problems {
		if !p.Warning {
			wrong++
		}
	}
	if c.JSON {
		if err := c.PrintJSON(map[string]any{"agents": l.Found(), "problems": slices.Concat([]agents.Problem{}, problems)}); err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			label := "Error: "
			if p.Warning {
				label = "Warning: "
			}
			p.File = config.Tilde(p.File)
			c.Wrapped(label, p.String())
		}
		fmt.Fprintf(c.Out, "%s besides AURORA's own, %s, %s\n", display.Count(l.Found(), "agent"), display.Count(wrong, "error"), display.Count(len(problems)-wrong, "warning"))
	}
	if wrong > 0 {
		return &app.Exit{Code: app.ExitFailed}
	}
	return nil
}

// runAgent has an agent work on a task and prints what it brings.
func runAgent(ctx context.Context, c *app.App, a *agentsHere, id, work string) error {
	d, err := agentOf(ctx, c, a, id)
	if err != nil {
		return err
	}
	switch {
	case d.Type == agents.Builtin:
		return app.Failure("Ask with: aurora ask", fmt.Errorf("%s is the model with instructions, or AURORA's own; it runs only as part of a question", id))
	case !d.Ready:
		return app.Failure("See: aurora agents show "+id, fmt.Errorf("%s can't be run: %s", id, d.Problem))
	}
	t := soar.Task{Query: work, Subgoal: soar.Subgoal{ID: "SG1", Description: work, Requires: []string{}, DependsOn: []string{}}, Step: 1, Steps: 1}
	if c.AsksPerson() {
		t.Ask = func(ctx context.Context, q soar.Question) (string, bool, error) {
			return c.AskPerson(ctx, questionOf(q))
		}
	}
	e, err := a.Agent(*d, a.folders).Run(ctx, t)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return app.Failure("", fmt.Errorf("%s: %w", id, err))
	}
	if c.JSON {
		return c.PrintJSON(e)
	}
	printEnvelope(c, e)
	if e.Status == "error" {
		return &app.Exit{Code: app.ExitFailed}
	}
	return nil
}

func printEnvelope(c *app.App, e *soar.Envelope) {
	fmt.Fprintln(c.Out, display.CleanLines(e.Output.Summary))
	for i, place := range e.Places {
		fmt.Fprintf(c.Out, "  [A%d] %s:%d\n", i+1, display.Clean(place.Path), place.Line)
	}
	line := fmt.Sprintf("\n%s, confidence %.2f, %d ms", e.Status, e.Output.Confidence, e.Metadata.DurationMs)
	if tools := e.Metadata.ToolsUsed; len(tools) > 0 {
		line += ", by " + display.Clean(strings.Join(tools, ", "))
	}
	if n := len(e.Interactions); n > 0 {
		line += ", " + display.Count(n, "question")
	}
	fmt.Fprintln(c.Out, line)
}
