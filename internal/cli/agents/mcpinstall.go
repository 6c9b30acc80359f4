package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
	"github.com/aurora-sidecar/aurora/internal/cli/jsonfile"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
	"github.com/aurora-sidecar/aurora/mcp"
	"github.com/spf13/cobra"
)

const (
	// maxClientFile is the size in bytes above which a client's file is not touched. Some keep histories in it.
	MaxClientFile = 64 << 20

	// BackupSuffix ends the name of the copy of a file as it was before AURORA was entered. It goes when the entry goes.
	BackupSuffix = ".before-aurora"
)

// installFlags are the flags of mcp install and mcp uninstall.
type installFlags struct {
	clients []string
	user    bool
	write   bool
	tools   string
}

func McpInstallCommand(c *app.App) *cobra.Command {
	f := &installFlags{}
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Configure agents and editors to use the MCP server",
		Long: `Write the configuration by which agents and editors start the MCP server. Without --write nothing is changed: the
changes are shown. With it, they are made; the file as it was before is kept beside it, with the ending ` + BackupSuffix + `.
Comments and everything else in the file stay as they are. "aurora mcp uninstall" takes the entry out again, and that copy.

Supported clients: ` + strings.Join(mcpClientNames(), ", ") + `. The configuration is the project's where the client has one, else
and with --user the user's own.`,
		Example: "  aurora mcp install --client claude-code\n  aurora mcp install --client cursor,vscode --write\n  aurora mcp install --client zed --user --tools=all --write",
		Args:    app.UsageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return changeClients(c, f, true) },
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.tools, "tools", "default", "tools that agents are offered: default, all, or names separated by commas")
	return cmd
}

func McpUninstallCommand(c *app.App) *cobra.Command {
	f := &installFlags{}
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove the MCP server from the configuration of agents and editors",
		Long: `Remove what "aurora mcp install" wrote, and nothing else. Without --write nothing is changed: the changes are
shown. A file in which nothing else is left is removed, unless it was there before: then it is what it was. The copy that
install made is removed.`,
		Example: "  aurora mcp uninstall --client claude-code --write",
		Args:    app.UsageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return changeClients(c, f, false) },
	}
	f.add(cmd)
	return cmd
}

func (f *installFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.clients, "client", nil, "client, or several separated by commas: "+strings.Join(mcpClientNames(), ", "))
	flags.BoolVar(&f.user, "user", false, "the user's own configuration, for all projects")
	flags.BoolVar(&f.write, "write", false, "change the files; without it, only show how they would change")
	app.CompleteList(cmd, "client", mcpClientNames()...)
}

// A ClientChange is what becomes of a client's file.
type ClientChange struct {
	Client string `json:"client"`
	File   string `json:"file"`
	State  string `json:"state"` // unchanged, changed, would change, removed, would be removed
	Diff   string `json:"diff,omitempty"`

	before, after []byte // after is nil when the file goes
	keep          bool   // a copy of before: it is somebody's own, without an entry of ours
	removing      bool   // the entry goes, and the copy with it
}

// changeClients adds the entry, or takes it out. It works out every change before it makes the first one: when a file can't be read, none is written.
func changeClients(c *app.App, f *installFlags, adding bool) error {
	clients, err := f.known()
	if err != nil {
		return err
	}
	if _, err := mcp.ParseTools(f.tools); err != nil {
		return err
	}
	root, err := workspace.ProjectRoot(c, ".")
	if err != nil && slices.ContainsFunc(clients, func(m McpClient) bool { return m.needsRoot(f.user) }) {
		return err
	}
	var changes []*ClientChange
	for _, client := range clients {
		change, err := client.change(f, root, adding)
		if err != nil {
			return app.Failure("Nothing was written. Correct the file, or choose another client.", err)
		}
		changes = append(changes, change)
	}
	for i, change := range changes {
		if err := change.Make(f.write); err != nil {
			err = app.Failure("Check who may write there. What is named above is done.", err)
			return errors.Join(noteClients(changes[:i]), printChanges(c, changes[:i], f.write, adding), err)
		}
	}
	if f.write {
		if err := noteClients(changes); err != nil {
			c.Warn("aurora uninstall will not find these files by itself: " + err.Error())
		}
	}
	return printChanges(c, changes, f.write, adding)
}

// known are the clients that were named.
func (f *installFlags) known() ([]McpClient, error) {
	if len(f.clients) == 0 {
		return nil, app.UsageError("Name it, such as: --client claude-code", "--client is missing; supported clients: %s", strings.Join(mcpClientNames(), ", "))
	}
	var clients []McpClient
	for _, name := range f.clients {
		i := slices.IndexFunc(McpClients, func(m McpClient) bool { return m.Name == strings.TrimSpace(name) })
		if i < 0 {
			remedy := ""
			if nearest := app.Nearest(name, mcpClientNames()); nearest != "" {
				remedy = "Did you mean '" + nearest + "'?"
			}
			return nil, app.UsageError(remedy, "unknown client '%s'; supported clients: %s", name, strings.Join(mcpClientNames(), ", "))
		}
		clients = append(clients, McpClients[i])
	}
	return clients, nil
}

// File is the client's configuration, and whether it is the user's own.
func (m *McpClient) File(user bool, root string) (path string, own bool, err error) {
	if m.project != nil && !user {
		return filepath.Join(append([]string{root}, m.project...)...), false, nil
	}
	home := workspace.HomeDir()
	if home == "" {
		return "", true, errors.New("there is no home folder; set HOME")
	}
	return filepath.Join(m.user(home)...), true, nil
}

func (m *McpClient) change(f *installFlags, root string, adding bool) (*ClientChange, error) {
	path, own, err := m.File(f.user, root)
	if err != nil {
		return nil, err
	}
	before, err := jsonfile.Read(path, MaxClientFile)
	if err != nil {
		return nil, fmt.Errorf("read the configuration of %s: %w", m.Title, err)
	}
	change := &ClientChange{Client: m.Name, File: path, before: before}
	if adding {
		err = change.add(m, m.entry(own, root, f.tools))
	} else {
		err = change.remove(m)
	}
	if err != nil {
		return nil, fmt.Errorf("%s, the configuration of %s, can't be read: %w", path, m.Title, err)
	}
	if !bytes.Equal(before, change.after) {
		change.Diff = display.Diff(string(before), string(change.after))
	}
	return change, nil
}

// add puts the entry in.
func (c *ClientChange) add(m *McpClient, entry McpEntry) (err error) {
	c.keep = c.before != nil && !m.Entered(c.before)
	c.after, err = jsonfile.Set(c.before, []string{m.Key, "aurora"}, entry)
	return err
}

// remove takes the entry out. A file in which nothing else is left goes, or becomes what it was before the entry.
func (c *ClientChange) remove(m *McpClient) error {
	c.removing = true
	if c.before == nil {
		return nil
	}
	after, _, empty, err := jsonfile.Remove(c.before, []string{m.Key, "aurora"})
	if err == nil && empty {
		after, err = jsonfile.Read(c.File+BackupSuffix, MaxClientFile)
	}
	c.after = after
	return err
}

// Removal is the change that takes the entry out of a file with this text.
func (m *McpClient) Removal(path string, text []byte) (*ClientChange, error) {
	change := &ClientChange{Client: m.Name, File: path, before: text}
	return change, change.remove(m)
}

// Entered reports whether a client's file has an entry that starts this program.
func (m *McpClient) Entered(text []byte) bool {
	var entry McpEntry
	value, ok, err := jsonfile.Get(text, []string{m.Key, "aurora"})
	if err != nil || !ok || json.Unmarshal(value, &entry) != nil {
		return false
	}
	name := strings.TrimSuffix(filepath.Base(entry.Command), ".exe")
	return name == "aurora" || name == "aur"
}

// Make changes the file, when that is wanted, and says what became of it.
func (c *ClientChange) Make(write bool) error {
	gone := c.after == nil && c.before != nil
	switch {
	case bytes.Equal(c.before, c.after) && !gone:
		c.State = "unchanged"
		return nil
	case !write && gone:
		c.State = "would be removed"
		return nil
	case !write:
		c.State = "would change"
		return nil
	}
	copied := c.File + BackupSuffix
	if _, err := os.Lstat(copied); c.keep && errors.Is(err, fs.ErrNotExist) { // of two copies the first is the one to keep
		if err := jsonfile.Write(copied, c.before); err != nil {
			return fmt.Errorf("keep a copy: %w", err)
		}
	}
	var err error
	if c.State = "changed"; gone {
		c.State = "removed"
		err = removeIfThere(c.File)
	} else {
		err = jsonfile.Write(c.File, c.after)
	}
	if err == nil && c.removing {
		err = removeIfThere(copied)
	}
	return err
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func printChanges(c *app.App, changes []*ClientChange, write, adding bool) error {
	if c.JSON {
		return c.PrintJSON(changes)
	}
	pending, copied := false, false
	for _, change := range changes {
		fmt.Fprintf(c.Out, "%s: %s %s\n", change.Client, display.Clean(change.File), change.State)
		for line := range strings.Lines(change.Diff) {
			fmt.Fprintf(c.Out, "  %s\n", display.CleanLines(strings.TrimRight(line, "\n")))
		}
		pending, copied = pending || change.State != "unchanged", copied || change.keep
	}
	if pending && adding && filepath.IsAbs(ownCommand()) {
		c.Wrapped("", "The entry names "+display.Clean(ownCommand())+", because your PATH finds no such aurora. With that in PATH, the name alone is written, which also suits others who share a project's file.")
	}
	switch {
	case pending && !write:
		c.Wrapped("", "Nothing was written. To make the changes, add --write.")
	case pending:
		c.Wrapped("", "Start the client again, or let it reload its servers.")
		if copied {
			c.Wrapped("", "The files as they were before end in "+BackupSuffix+"; aurora mcp uninstall removes them.")
		}
	}
	return nil
}
