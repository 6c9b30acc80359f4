package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/display"
	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/jsonfile"
	"github.com/aurora-sidecar/aurora/mcp"
	"github.com/spf13/cobra"
)

const (
	// maxClientFile is the size in bytes above which a client's file is not touched. Some keep histories in it.
	maxClientFile = 64 << 20

	// backupSuffix ends the name of the copy of a file as it was before its last change.
	backupSuffix = ".before-aurora"
)

// installFlags are the flags of mcp install and mcp uninstall.
type installFlags struct {
	clients []string
	user    bool
	write   bool
	tools   string
}

func (c *cli) mcpInstallCommand() *cobra.Command {
	f := &installFlags{}
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Tell agents and editors of the MCP server",
		Long: `Write the configuration by which agents and editors start the MCP server. Without --write nothing is changed: the
changes are shown. With it, they are made; the file as it was before is kept beside it, with the ending ` + backupSuffix + `.
Comments and everything else in the file stay as they are. "aurora mcp uninstall" takes the entry out again.

Known are: ` + strings.Join(mcpClientNames(), ", ") + `. The configuration is the project's where the client has one, else
and with --user the user's own.`,
		Example: "  aurora mcp install --client claude-code\n  aurora mcp install --client cursor,vscode --write\n  aurora mcp install --client zed --user --tools=all --write",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return c.changeClients(f, install, true) },
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.tools, "tools", "default", "tools that agents are offered: default, all, or names separated by commas")
	return cmd
}

func (c *cli) mcpUninstallCommand() *cobra.Command {
	f := &installFlags{}
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Take the MCP server out of the configuration of agents and editors",
		Long: `Take out what "aurora mcp install" wrote, and nothing else. Without --write nothing is changed: the changes are
shown. A file in which nothing else is left is removed.`,
		Example: "  aurora mcp uninstall --client claude-code --write",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return c.changeClients(f, uninstall, false) },
	}
	f.add(cmd)
	return cmd
}

func (f *installFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.clients, "client", nil, "client, or several separated by commas: "+strings.Join(mcpClientNames(), ", "))
	flags.BoolVar(&f.user, "user", false, "the user's own configuration, for all projects")
	flags.BoolVar(&f.write, "write", false, "change the files; without it, only show how they would change")
	completeList(cmd, "client", mcpClientNames()...)
}

// A clientChange is what becomes of a client's file.
type clientChange struct {
	Client string `json:"client"`
	File   string `json:"file"`
	State  string `json:"state"` // unchanged, changed, would change, removed, would be removed
	Diff   string `json:"diff,omitempty"`

	before, after []byte // after is nil when the file goes
	ownOnly       bool   // before is what install made of nothing, so that no copy is worth keeping
}

// changeClients adds the entry by edit, or takes it out. It works out every change before it makes the first one: when a file can't be read, none is written.
func (c *cli) changeClients(f *installFlags, edit func(mcpClient, []byte, mcpEntry) ([]byte, error), adding bool) error {
	clients, err := f.known()
	if err != nil {
		return err
	}
	if _, err := mcp.ParseTools(f.tools); err != nil {
		return err
	}
	root, err := c.projectRoot(".")
	if err != nil && slices.ContainsFunc(clients, func(m mcpClient) bool { return m.needsRoot(f.user) }) {
		return err
	}
	var changes []*clientChange
	for _, client := range clients {
		change, err := client.change(f, root, edit)
		if err != nil {
			return failure("Nothing was written. Correct the file, or choose another client.", err)
		}
		changes = append(changes, change)
	}
	for i, change := range changes {
		if err := change.make(f.write); err != nil {
			err = failure("Check who may write there. What is named above is done.", err)
			return errors.Join(noteClients(changes[:i]), c.printChanges(changes[:i], f.write, adding), err)
		}
	}
	if f.write {
		if err := noteClients(changes); err != nil {
			c.warn("aurora uninstall will not find these files by itself: " + err.Error())
		}
	}
	return c.printChanges(changes, f.write, adding)
}

// known are the clients that were named.
func (f *installFlags) known() ([]mcpClient, error) {
	if len(f.clients) == 0 {
		return nil, usageError("Name it, such as: --client claude-code", "--client is missing; known are %s", strings.Join(mcpClientNames(), ", "))
	}
	var clients []mcpClient
	for _, name := range f.clients {
		i := slices.IndexFunc(mcpClients, func(m mcpClient) bool { return m.name == strings.TrimSpace(name) })
		if i < 0 {
			remedy := ""
			if meant := nearest(name, mcpClientNames()); meant != "" {
				remedy = "Did you mean '" + meant + "'?"
			}
			return nil, usageError(remedy, "unknown client '%s'; known are %s", name, strings.Join(mcpClientNames(), ", "))
		}
		clients = append(clients, mcpClients[i])
	}
	return clients, nil
}

// file is the client's configuration, and whether it is the user's own.
func (m *mcpClient) file(user bool, root string) (path string, own bool, err error) {
	if m.project != nil && !user {
		return filepath.Join(append([]string{root}, m.project...)...), false, nil
	}
	home := homeDir()
	if home == "" {
		return "", true, errors.New("there is no home folder; set HOME")
	}
	return filepath.Join(m.user(home)...), true, nil
}

func (m *mcpClient) change(f *installFlags, root string, edit func(mcpClient, []byte, mcpEntry) ([]byte, error)) (*clientChange, error) {
	path, own, err := m.file(f.user, root)
	if err != nil {
		return nil, err
	}
	before, err := jsonfile.Read(path, maxClientFile)
	if err != nil {
		return nil, fmt.Errorf("read the configuration of %s: %w", m.title, err)
	}
	after, err := edit(*m, before, m.entry(own, root, f.tools))
	if err != nil {
		return nil, fmt.Errorf("%s, the configuration of %s, can't be read: %w", path, m.title, err)
	}
	change := &clientChange{Client: m.name, File: path, before: before, after: after}
	if made, err := install(*m, nil, m.entry(own, root, f.tools)); err == nil {
		change.ownOnly = bytes.Equal(made, before)
	}
	if !bytes.Equal(before, after) {
		change.Diff = display.Diff(string(before), string(after))
	}
	return change, nil
}

// install puts the entry in.
func install(m mcpClient, before []byte, entry mcpEntry) ([]byte, error) {
	return jsonfile.Set(before, []string{m.key, "aurora"}, entry)
}

// uninstall takes the entry out; nil when nothing else is left.
func uninstall(m mcpClient, before []byte, _ mcpEntry) ([]byte, error) {
	if before == nil {
		return nil, nil
	}
	after, _, empty, err := jsonfile.Remove(before, []string{m.key, "aurora"})
	if err != nil || empty {
		return nil, err
	}
	return after, nil
}

// make changes the file, when that is wanted, and says what became of it.
func (c *clientChange) make(write bool) error {
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
	if c.before != nil && !(gone && c.ownOnly) {
		if err := jsonfile.Write(c.File+backupSuffix, c.before); err != nil {
			return fmt.Errorf("keep a copy: %w", err)
		}
	}
	if gone {
		c.State = "removed"
		if err := os.Remove(c.File); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	c.State = "changed"
	return jsonfile.Write(c.File, c.after)
}

func (c *cli) printChanges(changes []*clientChange, write, adding bool) error {
	if c.json {
		return c.printJSON(changes)
	}
	pending := false
	for _, change := range changes {
		fmt.Fprintf(c.out, "%s: %s %s\n", change.Client, display.Clean(change.File), change.State)
		for line := range strings.Lines(change.Diff) {
			fmt.Fprintf(c.out, "  %s\n", display.CleanLines(strings.TrimRight(line, "\n")))
		}
		pending = pending || change.State != "unchanged"
	}
	if pending && adding && filepath.IsAbs(ownCommand()) {
		c.wrapped("", "The entry names "+display.Clean(ownCommand())+", because your PATH finds no such aurora. With that in PATH, the name alone is written, which also suits others who share a project's file.")
	}
	switch {
	case pending && !write:
		c.wrapped("", "Nothing was written. To make the changes, add --write.")
	case pending:
		c.wrapped("", "Start the client again, or let it reload its servers. The files as they were before end in "+backupSuffix+".")
	}
	return nil
}
