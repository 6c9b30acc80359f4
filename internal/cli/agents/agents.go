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
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

// AgentsCommands look at the agents that questions can go to.
func AgentsCommands(c *app.App) *cobra.Command {
	complete := func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		return completeAgents(c, cmd, args, typed)
	}
	root := agentsListCommand(c, "agents", complete)
	root.Short = "List, check and run agents"
	root.Long = `List, check and run the agents that questions can go to. They are looked for in the folders and files of
agents.discovery_paths: Markdown files of Claude Code, Amp, Droid and OpenCode, and registry files in JSON. Those of the
project count once you trust it: aurora trust. See docs/agents.md. "aurora agents list" is the same; with an id it shows all about one.`
	root.Args, root.ValidArgsFunction = app.NoSuchCommand, nil
	root.AddCommand(
		app.Same(agentsListCommand(c, "list [id]", complete), "agents"),
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

func agentsListCommand(c *app.App, use string, complete cobra.CompletionFunc) *cobra.Command {
	var refresh, check bool
	cmd := &cobra.Command{
		Use: use, Short: "List agents and whether they can run, or show all about one", Args: app.UsageArgs(cobra.MaximumNArgs(1)),
		Long:    "List agents and whether they can run, or show the definition and the state of one. With --check the exit code is 1 when a definition is wrong.",
		Example: "  aurora agents list\n  aurora agents list todo-finder\n  aurora agents list --check", ValidArgsFunction: complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			if check && len(args) > 0 {
				return app.UsageError("Leave out the id: aurora agents list --check", "--check is about all agents")
			}
			l, err := readAgents(cmd.Context(), c, refresh)
			switch {
			case err != nil:
				return err
			case check:
				return checkAgents(c, l)
			case len(args) == 1:
				return showAgent(c, l, args[0])
			}
			return listAgents(cmd.Context(), c, l)
		},
	}
	cmd.Flags().BoolVar(&refresh, "refresh", false, "read every definition again, and ask MCP servers for their tools")
	cmd.Flags().BoolVar(&check, "check", false, "print what is wrong with definitions instead")
	cmd.MarkFlagsMutuallyExclusive("refresh", "check")
	return cmd
}

// readAgents lists the agents of the project around the current folder; outside of one, the user's own.
func readAgents(ctx context.Context, c *app.App, refresh bool) (*api.AgentsResult, error) {
	here, err := workspace.OpenHere(ctx, c)
	if err != nil {
		return nil, err
	}
	defer here.Close()
	return api.Agents.Call(ctx, here.Client, &api.AgentsParams{Refresh: refresh})
}

// agentsHere are the registry and the project around the current folder.
type agentsHere struct {
	registry *agents.Registry
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
	a.settings, a.registry = p.Settings, workspace.OpenAgents(c, p.Settings, p.Home, slog.New(slog.DiscardHandler))
	return a, p.Warnings, nil
}

func completeAgents(c *app.App, cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	a, _, err := openAgentsHere(c)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []string
	if l, err := a.registry.List(cmd.Context(), a.folders); err == nil {
		for i := range l.Agents {
			ids = append(ids, l.Agents[i].ID+"\t"+l.Agents[i].Description)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

func listAgents(ctx context.Context, c *app.App, l *api.AgentsResult) error {
	if c.AsksPerson() && foundAgents(l) == 0 {
		asked, err := askForAgents(ctx, c)
		if err != nil {
			return err
		}
		if asked != nil {
			l = asked
		}
	}
	if c.JSON {
		return c.PrintJSON(l)
	}
	printAgents(c, l)
	return nil
}

// foundAgents counts those besides AURORA's own.
func foundAgents(l *api.AgentsResult) int {
	n := 0
	for i := range l.Agents {
		if l.Agents[i].Origin != agents.FromAurora {
			n++
		}
	}
	return n
}

// askForAgents asks, once, where agents are, and lists those; nil when nobody told. Then the model alone answers.
func askForAgents(ctx context.Context, c *app.App) (*api.AgentsResult, error) {
	a, _, err := openAgentsHere(c)
	if err != nil {
		return nil, err
	}
	l, err := a.registry.List(ctx, a.folders)
	if err != nil || !a.registry.AskForPath(l) {
		return nil, err
	}
	fmt.Fprint(c.Err, "No agents found. Please provide agent registry path: ")
	path, ok, err := c.ReadLine(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.registry.Asked(); err != nil {
		c.Warn(err.Error())
	}
	if !ok || path == "" {
		return nil, nil
	}
	if !strings.HasPrefix(path, "~/") {
		if path, err = workspace.Absolute(path); err != nil {
			return nil, err
		}
	}
	if err := a.registry.Add(path); err != nil {
		return nil, app.Failure("Name it in agents.discovery_paths instead.", err)
	}
	listed, err := readAgents(ctx, c, true)
	if err == nil && foundAgents(listed) == 0 {
		c.Warn("no agents there either: " + path)
	}
	return listed, err
}

func printAgents(c *app.App, l *api.AgentsResult) {
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
	for _, folder := range l.Untrusted {
		notes = append(notes, fmt.Sprintf("what %s brings along waits for your trust; to see it and decide: aurora trust", config.Tilde(folder)))
	}
	if n := len(l.Problems); n > 0 {
		notes = append(notes, display.Count(n, "problem")+" with definitions; see: aurora agents list --check")
	}
	if foundAgents(l) == 0 {
		notes = append(notes, "no agents were found besides AURORA's own; the model works on every subgoal. See docs/agents.md for how to add one")
	}
	c.Notes(notes)
}

// success is the rate as people read it, with the number of runs behind it.
func success(d *api.Agent) string {
	if d.Runs == 0 {
		return fmt.Sprintf("%.0f%%", 100*d.SuccessRate)
	}
	return fmt.Sprintf("%.0f%% of %d", 100*d.SuccessRate, d.Runs)
}

func stateOf(d *api.Agent) string {
	if d.Ready {
		return "ready"
	}
	if strings.Contains(d.Problem, "aurora trust") {
		return "not trusted"
	}
	return d.Problem
}

// noAgent says that there is no agent of an id, and which was probably meant.
func noAgent(id string, ids []string) error {
	remedy := "See: aurora agents list"
	if nearest := app.Nearest(id, ids); nearest != "" {
		remedy = fmt.Sprintf("Did you mean '%s'?", nearest)
	}
	return &app.Exit{Code: app.ExitNothing, Remedy: remedy, Err: fmt.Errorf("there is no agent '%s'", id)}
}

func showAgent(c *app.App, l *api.AgentsResult, id string) error {
	var d *api.Agent
	var ids []string
	for i := range l.Agents {
		if a := &l.Agents[i]; a.ID == id && (d == nil || a.Ready && !d.Ready) { // of several, the one that is run
			d = a
		}
		ids = append(ids, l.Agents[i].ID)
	}
	if d == nil {
		return noAgent(id, ids)
	}
	if c.JSON {
		return c.PrintJSON(d)
	}
	fmt.Fprintln(c.Out, c.Bold(display.Clean(d.ID)))
	for _, row := range [][2]string{
		{"Does", d.Description}, {"Type", d.Type}, {"Program", strings.Join(append([]string{d.Path}, d.Args...), " ")}, {"Runs in", map[bool]string{true: "the sandbox"}[d.Sandbox]}, {"Endpoint", d.Endpoint}, {"Tool", d.Tool},
		{"Can", strings.Join(d.Capabilities, ", ")}, {"Domains", strings.Join(d.Domains, ", ")}, {"Available", d.Availability},
		{"Success", success(d)}, {"From", fromOf(d)}, {"State", cmp.Or(d.Problem, "ready")},
	} {
		if strings.TrimSpace(row[1]) != "" {
			c.Wrapped("  "+display.Pad(row[0]+":", 11), row[1])
		}
	}
	return nil
}

func fromOf(d *api.Agent) string {
	if d.Source == "" {
		return "AURORA itself"
	}
	return d.Origin + ", " + config.Tilde(d.Source)
}

// An agentCheck is the result of agents list --check.
type agentCheck struct {
	Agents   int      `json:"agents"` // besides AURORA's own
	Errors   []string `json:"errors"`
	Warnings []string `json:"warnings"` // in spite of which the agents are used
}

func checkAgents(c *app.App, l *api.AgentsResult) error {
	r := agentCheck{Agents: foundAgents(l), Errors: []string{}, Warnings: l.Warnings}
	for _, problem := range l.Problems {
		if !slices.Contains(l.Warnings, problem) {
			r.Errors = append(r.Errors, problem)
		}
	}
	for i := range l.Agents {
		if d := &l.Agents[i]; !d.Ready && stateOf(d) != "not trusted" {
			r.Errors = append(r.Errors, agents.Problem{File: d.Source, Agent: d.ID, Message: d.Problem}.String())
		}
	}
	if c.JSON {
		if err := c.PrintJSON(r); err != nil {
			return err
		}
	} else {
		for _, problem := range r.Errors {
			c.Wrapped("Error: ", config.Tilde(problem))
		}
		for _, problem := range r.Warnings {
			c.Wrapped("Warning: ", config.Tilde(problem))
		}
		fmt.Fprintf(c.Out, "%s besides AURORA's own, %s, %s\n", display.Count(r.Agents, "agent"), display.Count(len(r.Errors), "error"), display.Count(len(r.Warnings), "warning"))
	}
	if len(r.Errors) > 0 {
		return &app.Exit{Code: app.ExitFailed}
	}
	return nil
}

// runAgent has an agent work on a task and prints what it brings.
func runAgent(ctx context.Context, c *app.App, a *agentsHere, id, work string) error {
	l, err := a.registry.List(ctx, a.folders)
	if err != nil {
		return err
	}
	d, ok := l.Get(id)
	switch {
	case !ok:
		var ids []string
		for i := range l.Agents {
			ids = append(ids, l.Agents[i].ID)
		}
		return noAgent(id, ids)
	case d.Type == agents.Builtin:
		return app.Failure("Ask with: aurora ask", fmt.Errorf("%s is the model with instructions, or AURORA's own; it runs only as part of a question", id))
	case !d.Ready:
		return app.Failure("See: aurora agents list "+id, fmt.Errorf("%s can't be run: %s", id, d.Problem))
	}
	t := soar.Task{Query: work, Subgoal: soar.Subgoal{ID: "SG1", Description: work, Requires: []string{}, DependsOn: []string{}}, Step: 1, Steps: 1}
	if c.AsksPerson() {
		t.Ask = func(ctx context.Context, q soar.Question) (string, bool, error) {
			return c.AskPerson(ctx, questionOf(q))
		}
	}
	e, err := a.registry.Agent(*d, a.folders).Run(ctx, t)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return app.Failure("", fmt.Errorf("%s: %w", id, err))
	}
	if c.JSON {
		if err := c.PrintJSON(e); err != nil {
			return err
		}
	} else {
		printEnvelope(c, e)
	}
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
