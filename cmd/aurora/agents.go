package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/engine/agents"
	"github.com/aurora-sidecar/aurora/engine/reason/soar"
	"github.com/aurora-sidecar/aurora/internal/config"
	"github.com/spf13/cobra"
)

// agentsCommands look at the agents that questions can go to.
func (c *cli) agentsCommands() *cobra.Command {
	root := &cobra.Command{
		Use:   "agents",
		Short: "Show, check and run the agents that questions can go to",
		Long: `Show, check and run the agents that questions can go to. They are looked for in the folders and files of
agents.discovery_paths: Markdown files of Claude Code, Amp, Droid and OpenCode, and registry files in JSON. Those of the
project count once you trust it: aurora trust. See docs/agents.md.`,
		Args: noSuchCommand,
		RunE: showHelp, Annotations: onlyGroups,
	}
	root.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the agents, and whether they can be run", Args: usageArgs(cobra.NoArgs),
			RunE: c.onAgents(func(cmd *cobra.Command, a *agentsHere, _ []string) error {
				return c.listAgents(cmd.Context(), a, false)
			}),
		},
		&cobra.Command{
			Use: "refresh", Short: "Read every definition anew, and ask MCP servers for their tools", Args: usageArgs(cobra.NoArgs),
			RunE: c.onAgents(func(cmd *cobra.Command, a *agentsHere, _ []string) error { return c.listAgents(cmd.Context(), a, true) }),
		},
		&cobra.Command{
			Use: "show <id>", Short: "Show all that is known of an agent", Args: usageArgs(cobra.ExactArgs(1)), ValidArgsFunction: c.completeAgents,
			Example: "  aurora agents show todo-finder",
			RunE: c.onAgents(func(cmd *cobra.Command, a *agentsHere, args []string) error {
				return c.showAgent(cmd.Context(), a, args[0])
			}),
		},
		&cobra.Command{
			Use: "validate", Short: "Say what is wrong with definitions; the exit code is 1 when something is", Args: usageArgs(cobra.NoArgs),
			RunE: c.onAgents(func(cmd *cobra.Command, a *agentsHere, _ []string) error { return c.validateAgents(cmd.Context(), a) }),
		},
		&cobra.Command{
			Use: "run <id> <task>", Short: "Give one agent a task, without a model, and print its answer", Args: usageArgs(cobra.MinimumNArgs(2)), ValidArgsFunction: c.completeAgents,
			Long:    "Give one agent a task, without a model, and print its answer: the way to try an agent that you write. It gets no sources.",
			Example: `  aurora agents run todo-finder "Which TODOs are there about retries?"`,
			RunE: c.onAgents(func(cmd *cobra.Command, a *agentsHere, args []string) error {
				return c.runAgent(cmd.Context(), a, args[0], strings.Join(args[1:], " "))
			}),
		},
	)
	return root
}

// agentsHere are the registry and the project around the current folder.
type agentsHere struct {
	*agents.Registry
	settings *config.Settings
	folders  []string // none outside of a project
}

// onAgents adapts a command that works on agents.
func (c *cli) onAgents(run func(*cobra.Command, *agentsHere, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a, warnings, err := c.agentsHere()
		if err != nil {
			return err
		}
		for _, w := range warnings {
			c.warn(w)
		}
		return run(cmd, a, args)
	}
}

func (c *cli) agentsHere() (*agentsHere, []string, error) {
	root, err := c.projectRoot(".")
	if err != nil && c.project != "" {
		return nil, nil, err
	}
	a, p := &agentsHere{}, &parts{}
	if err == nil {
		a.folders = []string{root}
	} else {
		root = ""
	}
	if err := c.loadSettings(p, wiring{root: root}); err != nil {
		return nil, nil, err
	}
	a.settings, a.Registry = p.settings, c.openAgents(p.settings, p.home, slog.New(slog.DiscardHandler))
	return a, p.warnings, nil
}

func (c *cli) completeAgents(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	a, _, err := c.agentsHere()
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

func (c *cli) listAgents(ctx context.Context, a *agentsHere, refresh bool) error {
	read := a.List
	if refresh {
		read = a.Refresh
	}
	l, err := read(ctx, a.folders)
	if err != nil {
		return err
	}
	if c.asksPerson() && a.AskForPath(l) {
		if l, err = c.askForAgents(ctx, a, l); err != nil {
			return err
		}
	}
	if c.json {
		return c.printJSON(l)
	}
	c.printAgents(l)
	return nil
}

// askForAgents asks, once, where agents are (AGT-024); then the model alone answers (AGT-027).
func (c *cli) askForAgents(ctx context.Context, a *agentsHere, l *agents.Listing) (*agents.Listing, error) {
	fmt.Fprint(c.err, "No agents found. Please provide agent registry path: ")
	path, ok, err := c.readLine(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.Asked(); err != nil {
		c.warn(err.Error())
	}
	if !ok || path == "" {
		return l, nil
	}
	if !strings.HasPrefix(path, "~/") {
		if path, err = absolute(path); err != nil {
			return nil, err
		}
	}
	if err := a.Add(path); err != nil {
		return nil, failure("Name it in agents.discovery_paths instead.", err)
	}
	if l, err = a.Refresh(ctx, a.folders); err == nil && l.Found() == 0 {
		c.warn("no agents there either: " + path)
	}
	return l, err
}

func (c *cli) printAgents(l *agents.Listing) {
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
	notes := c.printTable(table)
	for _, folder := range l.Untrusted() {
		notes = append(notes, fmt.Sprintf("what %s brings along waits for your trust; to see it and decide: aurora trust", config.Tilde(folder)))
	}
	if n := len(l.Problems); n > 0 {
		notes = append(notes, display.Count(n, "problem")+" with definitions; see: aurora agents validate")
	}
	if l.Found() == 0 {
		notes = append(notes, "no agents were found besides AURORA's own; the model works on every subgoal. See docs/agents.md for how to add one")
	}
	c.notes(notes)
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
func (c *cli) agentOf(ctx context.Context, a *agentsHere, id string) (*agents.Definition, error) {
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
	if meant := nearest(id, ids); meant != "" {
		remedy = fmt.Sprintf("Did you mean '%s'?", meant)
	}
	return nil, usageError(remedy, "there is no agent '%s'", id)
}

func (c *cli) showAgent(ctx context.Context, a *agentsHere, id string) error {
	d, err := c.agentOf(ctx, a, id)
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(d)
	}
	fmt.Fprintln(c.out, c.bold(display.Clean(d.ID)))
	for _, row := range [][2]string{
		{"Does", d.Description}, {"Type", d.Type}, {"Program", strings.Join(append([]string{d.Path}, d.Args...), " ")}, {"Endpoint", d.Endpoint}, {"Tool", d.Tool},
		{"Can", strings.Join(d.Capabilities, ", ")}, {"Domains", strings.Join(d.Domains, ", ")}, {"Available", d.Availability},
		{"Success", success(d)}, {"From", fromOf(d)}, {"State", cmp.Or(d.Problem, "ready")},
	} {
		if strings.TrimSpace(row[1]) != "" {
			c.wrapped("  "+display.Pad(row[0]+":", 11), row[1])
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

func (c *cli) validateAgents(ctx context.Context, a *agentsHere) error {
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
	if c.json {
		if err := c.printJSON(map[string]any{"agents": l.Found(), "problems": slices.Concat([]agents.Problem{}, problems)}); err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			label := "Error: "
			if p.Warning {
				label = "Warning: "
			}
			p.File = config.Tilde(p.File)
			c.wrapped(label, p.String())
		}
		fmt.Fprintf(c.out, "%s besides AURORA's own, %s, %s\n", display.Count(l.Found(), "agent"), display.Count(wrong, "error"), display.Count(len(problems)-wrong, "warning"))
	}
	if wrong > 0 {
		return &exit{code: exitFailed}
	}
	return nil
}

// runAgent has an agent work on a task and prints what it brings.
func (c *cli) runAgent(ctx context.Context, a *agentsHere, id, work string) error {
	d, err := c.agentOf(ctx, a, id)
	if err != nil {
		return err
	}
	switch {
	case d.Type == agents.Builtin:
		return failure("Ask with: aurora query", fmt.Errorf("%s is the model with instructions, or AURORA's own; it runs only as part of a question", id))
	case !d.Ready:
		return failure("See: aurora agents show "+id, fmt.Errorf("%s can't be run: %s", id, d.Problem))
	}
	t := soar.Task{Query: work, Subgoal: soar.Subgoal{ID: "SG1", Description: work, Requires: []string{}, DependsOn: []string{}}, Step: 1, Steps: 1}
	if c.asksPerson() {
		t.Ask = func(ctx context.Context, q soar.Question) (string, bool, error) {
			return c.askPerson(ctx, questionOf(q))
		}
	}
	e, err := a.Agent(*d, a.folders).Run(ctx, t)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return failure("", fmt.Errorf("%s: %w", id, err))
	}
	if c.json {
		return c.printJSON(e)
	}
	c.printEnvelope(e)
	if e.Status == "error" {
		return &exit{code: exitFailed}
	}
	return nil
}

func (c *cli) printEnvelope(e *soar.Envelope) {
	fmt.Fprintln(c.out, display.CleanLines(e.Output.Summary))
	for i, place := range e.Places {
		fmt.Fprintf(c.out, "  [A%d] %s:%d\n", i+1, display.Clean(place.Path), place.Line)
	}
	line := fmt.Sprintf("\n%s, confidence %.2f, %d ms", e.Status, e.Output.Confidence, e.Metadata.DurationMs)
	if tools := e.Metadata.ToolsUsed; len(tools) > 0 {
		line += ", by " + display.Clean(strings.Join(tools, ", "))
	}
	if n := len(e.Interactions); n > 0 {
		line += ", " + display.Count(n, "question")
	}
	fmt.Fprintln(c.out, line)
}
