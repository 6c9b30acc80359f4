package agents

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/jsonfile"
)

// An McpClient is a program that starts MCP servers, and the file in which it is told so.
type McpClient struct {
	Name     string
	Title    string
	programs []string // by which it is found in the PATH
	folder   []string // below the home folder, by which it is found; none: that of the user's file
	project  []string // the file in a project, as elements of its path; none when it has none
	user     func(home string) []string
	key      string // of the object, or the table, that holds the servers
	shape    shape
	root     string // how an entry names the project; "" when the client starts servers in it
}

// A shape is how an entry is written.
type shape int

const (
	jsonEntry  shape = iota
	typedEntry       // JSON that says that the server speaks on standard input and output
	listEntry        // JSON with the program and its arguments in one list
	tomlEntry        // a TOML table
)

// workspaceFolder is what some clients replace by the folder they have open.
const workspaceFolder = "${workspaceFolder}"

// McpClients are the clients that "aurora setup" knows.
var McpClients = []McpClient{
	{Name: "claude-code", Title: "Claude Code", programs: []string{"claude"}, folder: []string{".claude"}, project: []string{".mcp.json"}, user: inHome(".claude.json"), key: "mcpServers", shape: typedEntry},
	{Name: "claude-desktop", Title: "Claude Desktop", user: inConfig("Claude", "claude_desktop_config.json"), key: "mcpServers"},
	{Name: "codex", Title: "Codex", programs: []string{"codex"}, user: inHome(".codex", "config.toml"), key: "mcp_servers", shape: tomlEntry},
	{Name: "cursor", Title: "Cursor", programs: []string{"cursor", "cursor-agent"}, project: []string{".cursor", "mcp.json"}, user: inHome(".cursor", "mcp.json"), key: "mcpServers", root: workspaceFolder},
	{Name: "gemini-cli", Title: "Gemini CLI", programs: []string{"gemini"}, project: []string{".gemini", "settings.json"}, user: inHome(".gemini", "settings.json"), key: "mcpServers"},
	{Name: "opencode", Title: "OpenCode", programs: []string{"opencode"}, project: []string{"opencode.json"}, user: inDotConfig("opencode", "opencode.json"), key: "mcp", shape: listEntry},
	{Name: "vscode", Title: "VS Code", programs: []string{"code"}, project: []string{".vscode", "mcp.json"}, user: inConfig("Code", "User", "mcp.json"), key: "servers", shape: typedEntry, root: workspaceFolder},
	{Name: "windsurf", Title: "Windsurf", programs: []string{"windsurf"}, user: inHome(".codeium", "windsurf", "mcp_config.json"), key: "mcpServers"},
	{Name: "zed", Title: "Zed", programs: []string{"zed", "zeditor"}, project: []string{".zed", "settings.json"}, user: inDotConfig("zed", "settings.json"), key: "context_servers"},
}

func mcpClientNames() []string {
	var names []string
	for _, client := range McpClients {
		names = append(names, client.Name)
	}
	return names
}

func inHome(elem ...string) func(string) []string {
	return func(home string) []string { return append([]string{home}, elem...) }
}

// inConfig is below the folder in which desktop programs keep their settings.
func inConfig(elem ...string) func(string) []string {
	return func(home string) []string {
		switch dir := os.Getenv("XDG_CONFIG_HOME"); {
		case runtime.GOOS == "darwin":
			return append([]string{home, "Library", "Application Support"}, elem...)
		case runtime.GOOS == "windows":
			return append([]string{home, "AppData", "Roaming"}, elem...)
		case filepath.IsAbs(dir):
			return append([]string{dir}, elem...)
		}
		return append([]string{home, ".config"}, elem...)
	}
}

// inDotConfig is inConfig, but on macOS below ~/.config, too, where programs of terminals have theirs.
func inDotConfig(elem ...string) func(string) []string {
	return func(home string) []string {
		if runtime.GOOS == "darwin" {
			return append([]string{home, ".config"}, elem...)
		}
		return inConfig(elem...)(home)
	}
}

// found is what tells that the client is on this machine: its program, else its folder; "" when nothing does.
func (m *McpClient) found(home string) string {
	for _, name := range m.programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if home == "" {
		return ""
	}
	folder := filepath.Dir(filepath.Join(m.user(home)...))
	if m.folder != nil {
		folder = filepath.Join(append([]string{home}, m.folder...)...)
	}
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		return folder
	}
	return ""
}

// needsRoot reports whether the project has to be known: for its file, or for an entry that names it.
func (m *McpClient) needsRoot(user bool) bool { return m.onlyRoot() || !user }

// An McpEntry starts the server.
type McpEntry struct {
	Type    string   `json:"type,omitempty" toml:"-"`
	Command string   `json:"command" toml:"command"`
	Args    []string `json:"args" toml:"args"`
}

// A ListEntry starts the server, too: the program and its arguments are one list.
type ListEntry struct {
	Type    string   `json:"type"`
	Command []string `json:"command"`
	Enabled bool     `json:"enabled"`
}

// entry is how the client starts the server. user is whether the file serves every project of the user; a client that
// neither starts servers in the project nor has a variable for it then gets root.
func (m *McpClient) entry(user bool, root, tools string) McpEntry {
	e := McpEntry{Command: ownCommand(), Args: []string{"mcp"}}
	switch {
	case m.root != "":
		e.Args = append(e.Args, "--project", m.root)
	case user && m.onlyRoot():
		e.Args = append(e.Args, "--project", root)
	}
	if tools != "" && tools != "default" {
		e.Args = append(e.Args, "--tools="+tools)
	}
	return e
}

// onlyRoot reports whether the client starts its servers anywhere, so that an entry has to name the one project.
func (m *McpClient) onlyRoot() bool { return m.root == "" && m.project == nil && m.shape != tomlEntry }

// set returns the text of the client's file with the entry.
func (m *McpClient) set(text []byte, e McpEntry) ([]byte, error) {
	switch m.shape {
	case typedEntry:
		e.Type = "stdio"
	case listEntry:
		return jsonfile.Set(text, m.path(), ListEntry{Type: "local", Command: append([]string{e.Command}, e.Args...), Enabled: true})
	case tomlEntry:
		return jsonfile.SetTOML(text, m.path(), e)
	}
	return jsonfile.Set(text, m.path(), e)
}

// unset returns the text of the client's file without the entry; empty tells that nothing else is in it.
func (m *McpClient) unset(text []byte) (after []byte, empty bool, err error) {
	remove := jsonfile.Remove
	if m.shape == tomlEntry {
		remove = jsonfile.RemoveTOML
	}
	after, _, empty, err = remove(text, m.path())
	return after, empty, err
}

// path is where the entry is in the client's file.
func (m *McpClient) path() []string { return []string{m.key, "aurora"} }

// Entered reports whether a client's file has an entry that starts this program. It fails when the file can't be read.
func (m *McpClient) Entered(text []byte) (bool, error) {
	command, err := m.command(text)
	name := strings.TrimSuffix(filepath.Base(command), ".exe")
	return name == "aurora" || name == "aur", err
}

// command is the program that the entry starts, "" without one.
func (m *McpClient) command(text []byte) (string, error) {
	var e McpEntry
	if m.shape == tomlEntry {
		_, err := jsonfile.GetTOML(text, m.path(), &e)
		return e.Command, err
	}
	value, ok, err := jsonfile.Get(text, m.path())
	if err != nil || !ok {
		return "", err
	}
	if m.shape == listEntry {
		var list ListEntry
		if json.Unmarshal(value, &list) != nil || len(list.Command) == 0 {
			return "", nil
		}
		return list.Command[0], nil
	}
	if json.Unmarshal(value, &e) != nil {
		return "", nil // somebody else's, of another form
	}
	return e.Command, nil
}

// ownCommand is the short name when a shell finds this program by it, else the whole path.
func ownCommand() string {
	own, err := os.Executable()
	if err != nil {
		return "aurora"
	}
	if found, err := exec.LookPath("aurora"); err == nil && SameFile(found, own) {
		return "aurora"
	}
	return own
}

func SameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}
