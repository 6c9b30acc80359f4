package agents

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/mcp"
	"github.com/spf13/cobra"
)

// setupFlags are the flags of setup.
type setupFlags struct {
	clients  []string
	shared   bool
	tools    string
	agentsMD bool
	undo     bool
	write    bool
}

// SetupCommand enters the MCP server in the configuration of agents and editors, and takes it out again.
func SetupCommand(c *app.App) *cobra.Command {
	f := &setupFlags{}
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Set up the agents of this machine to use AURORA, or undo that",
		Long: `Find the agents and editors of this machine that start MCP servers, and enter AURORA in their configuration: in your
own, for all projects, or with --shared in the project's, for everybody who works on it. Without --write nothing is changed:
the changes are shown. With it they are made, and the server is tried as a client starts it. A file that was there is kept
beside it, with the ending ` + BackupSuffix + `; comments and everything else in it stay as they are.

--agents-md adds a section to the project's AGENTS.md that tells agents when to use which tool. --undo takes out what was
written, and nothing else.

Known clients: ` + strings.Join(mcpClientNames(), ", ") + `.`,
		Example: "  aurora setup\n  aurora setup --write\n  aurora setup --client claude-code --shared --agents-md --write\n  aurora setup --undo --write",
		Args:    app.UsageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return setup(cmd.Context(), c, f) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.clients, "client", nil, "client, or several separated by commas, in place of those found: "+strings.Join(mcpClientNames(), ", "))
	flags.BoolVar(&f.shared, "shared", false, "the project's configuration, in place of your own")
	flags.StringVar(&f.tools, "tools", "default", "tools that agents are offered: default, all, or names separated by commas")
	flags.BoolVar(&f.agentsMD, "agents-md", false, "a section of the project's AGENTS.md, too")
	flags.BoolVar(&f.undo, "undo", false, "take out what was written")
	flags.BoolVar(&f.write, "write", false, "change the files; without it, only show how they would change")
	app.CompleteList(cmd, "client", mcpClientNames()...)
	return cmd
}

// A SetupResult is what setup did, or would do.
type SetupResult struct {
	Changes []*ClientChange `json:"changes"`
	Notes   []string        `json:"notes,omitempty"` // what is not set up, and how it can be
	Server  *mcp.Trial      `json:"server,omitempty"`
}

// setup works out every change before it makes the first one: when a file can't be read, none is written.
func setup(ctx context.Context, c *app.App, f *setupFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	root, noRoot := workspace.ProjectRoot(c, ".")
	if noRoot != nil && (f.shared || f.agentsMD) {
		return noRoot
	}
	plan := setupPlan{f: f, root: root, noRoot: noRoot}
	if err := plan.make(); err != nil {
		if noRoot != nil && errors.Is(err, noRoot) {
			return noRoot
		}
		return app.Failure("Nothing was written. Correct the file, or choose another client.", err)
	}
	r := &SetupResult{Changes: plan.changes, Notes: plan.notes}
	for i, change := range r.Changes {
		if err := change.Make(f.write); err != nil {
			r.Changes = r.Changes[:i]
			_ = noteClients(r.Changes) // what failed before is the error to tell
			return errors.Join(printSetup(c, f, r), app.Failure("Check who may write there. What is named above is done.", err))
		}
	}
	if f.write {
		if err := noteClients(r.Changes); err != nil {
			c.Warn("aurora uninstall will not find these files by itself: " + err.Error())
		}
	}
	var err error
	if f.write && !f.undo && len(plan.clients) > 0 && c.Program != "" {
		if r.Server, err = mcp.Try(ctx, c.Program, []string{"mcp"}, root); err != nil {
			err = app.Failure("Run 'aurora doctor'; the clients have their entries.", fmt.Errorf("the server does not answer: %w", err))
		}
	}
	return errors.Join(printSetup(c, f, r), err)
}

func (f *setupFlags) check() error {
	if f.undo && f.shared {
		return app.UsageError("Leave --shared out: --undo takes entries out wherever they are.", "--undo and --shared don't go together")
	}
	for i, name := range f.clients {
		f.clients[i] = strings.TrimSpace(name)
		if !slices.Contains(mcpClientNames(), f.clients[i]) {
			remedy := ""
			if nearest := app.Nearest(name, mcpClientNames()); nearest != "" {
				remedy = "Did you mean '" + nearest + "'?"
			}
			return app.UsageError(remedy, "unknown client '%s'; known clients: %s", name, strings.Join(mcpClientNames(), ", "))
		}
	}
	_, err := mcp.ParseTools(f.tools)
	return err
}

// A setupPlan is which files change.
type setupPlan struct {
	f       *setupFlags
	root    string // of the project, "" outside of one
	noRoot  error  // why there is none
	clients []*McpClient
	changes []*ClientChange
	notes   []string
}

func (p *setupPlan) make() error {
	for i := range McpClients {
		client := &McpClients[i]
		if len(p.f.clients) > 0 && !slices.Contains(p.f.clients, client.Name) {
			continue
		}
		plan := p.enter
		if p.f.undo {
			plan = p.takeOut
		}
		if err := plan(client); err != nil {
			return err
		}
	}
	if p.f.agentsMD || p.f.undo && p.root != "" && len(p.f.clients) == 0 {
		change, err := changeAgentsMD(p.root, !p.f.undo)
		if err != nil {
			return err
		}
		if change.Diff != "" || p.f.agentsMD {
			p.changes = append(p.changes, change)
		}
	}
	return nil
}

// enter plans for the entry of a client that was named, or found.
func (p *setupPlan) enter(m *McpClient) error {
	named := len(p.f.clients) > 0
	if !named {
		if m.found(workspace.HomeDir()) == "" {
			return nil
		}
		if m.Name == "vscode" {
			p.notes = append(p.notes, "VS Code has the server from AURORA's extension, without an entry: code --install-extension aurora_*.vsix. Without the extension: --client vscode.")
			return nil
		}
	}
	path, err := m.File(p.f.shared, p.root)
	switch {
	case err != nil:
		return err
	case path == "" && named:
		return fmt.Errorf("%s has no configuration in a project; leave --shared out", m.Title)
	case path == "":
		return nil
	case p.noRoot != nil && m.needsRoot(!p.f.shared):
		if named {
			return p.noRoot
		}
		p.notes = append(p.notes, m.Title+" serves one project: run this in it.")
		return nil
	}
	if p.f.shared {
		if err := insideProject(p.root, path); err != nil {
			return err
		}
	}
	change, err := m.add(path, m.entry(!p.f.shared, p.root, p.f.tools))
	if err != nil {
		return err
	}
	p.clients = append(p.clients, m)
	p.changes = append(p.changes, change)
	return nil
}

// takeOut plans for the files of a client that have an entry: those of the ledger, the user's own, and this project's.
func (p *setupPlan) takeOut(m *McpClient) error {
	files, err := m.Files(p.root)
	if err != nil {
		return err
	}
	for _, path := range files {
		change, err := m.remove(path)
		if err != nil {
			return err
		}
		if change.Diff != "" || len(p.f.clients) > 0 && path == files[0] {
			p.changes = append(p.changes, change)
		}
	}
	return nil
}

// Files are where an entry of the client may be: the user's own file, that of a project unless root is "", and those of the ledger.
func (m *McpClient) Files(root string) ([]string, error) {
	user, err := m.File(false, root)
	if err != nil {
		return nil, err
	}
	files := []string{user}
	if shared, _ := m.File(true, root); shared != "" && root != "" {
		files = append(files, shared)
	}
	for _, path := range NotedClients()[m.Name] {
		if !slices.Contains(files, path) {
			files = append(files, path)
		}
	}
	return files, nil
}

func printSetup(c *app.App, f *setupFlags, r *SetupResult) error {
	if c.JSON {
		return c.PrintJSON(r)
	}
	pending, copied := false, false
	for _, change := range r.Changes {
		fmt.Fprintf(c.Out, "%s: %s %s\n", change.Client, display.Clean(change.File), change.State)
		for line := range strings.Lines(change.Diff) {
			fmt.Fprintf(c.Out, "  %s\n", display.CleanLines(strings.TrimRight(line, "\r\n")))
		}
		pending, copied = pending || change.State != unchanged, copied || change.keep
	}
	if len(r.Changes) == 0 {
		fmt.Fprintln(c.Out, nothingToDo(f))
	}
	for _, note := range r.Notes {
		c.Wrapped("", note)
	}
	if r.Server != nil {
		c.Wrapped("", r.Server.String())
	}
	if pending && !f.undo && filepath.IsAbs(ownCommand()) {
		c.Wrapped("", "The entry names "+display.Clean(ownCommand())+", because your PATH finds no such aurora. With that in PATH, the name alone is written, which also suits others who share a project's file.")
	}
	switch {
	case pending && !f.write:
		c.Wrapped("", "Nothing was written. To make the changes, add --write.")
	case pending:
		c.Wrapped("", "Start the clients again, or let them reload their servers.")
		if copied {
			c.Wrapped("", "The files as they were before end in "+BackupSuffix+"; aurora setup --undo removes them.")
		}
	}
	return nil
}

func nothingToDo(f *setupFlags) string {
	if f.undo {
		return "No client has an entry of AURORA."
	}
	return "No client was found in your PATH or your home folder that would need an entry. Name one by --client."
}
