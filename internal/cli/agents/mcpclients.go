package agents

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// An McpClient is a program that starts MCP servers, and the JSON file in which it is told so.
type McpClient struct {
	Name    string
	Title   string
	project []string // the file in a project, as elements of its path; none when it has none
	user    func(home string) []string
	Key     string // of the object that holds the servers
	stdio   bool   // an entry says its type
	root    string // how an entry names the project; "" when the client starts servers in it
}

// workspaceFolder is what some clients replace by the folder they have open.
const workspaceFolder = "${workspaceFolder}"

// McpClients are the clients that "aurora mcp install" knows.
var McpClients = []McpClient{
	{Name: "claude-code", Title: "Claude Code", project: []string{".mcp.json"}, user: inHome(".claude.json"), Key: "mcpServers", stdio: true},
	{Name: "claude-desktop", Title: "Claude Desktop", user: inConfig("Claude", "claude_desktop_config.json"), Key: "mcpServers"},
	{Name: "cursor", Title: "Cursor", project: []string{".cursor", "mcp.json"}, user: inHome(".cursor", "mcp.json"), Key: "mcpServers", root: workspaceFolder},
	{Name: "gemini-cli", Title: "Gemini CLI", project: []string{".gemini", "settings.json"}, user: inHome(".gemini", "settings.json"), Key: "mcpServers"},
	{Name: "vscode", Title: "VS Code", project: []string{".vscode", "mcp.json"}, user: inConfig("Code", "User", "mcp.json"), Key: "servers", stdio: true, root: workspaceFolder},
	{Name: "windsurf", Title: "Windsurf", user: inHome(".codeium", "windsurf", "mcp_config.json"), Key: "mcpServers"},
	{Name: "zed", Title: "Zed", project: []string{".zed", "settings.json"}, user: zedSettings, Key: "context_servers"},
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

func zedSettings(home string) []string {
	if runtime.GOOS == "darwin" {
		return []string{home, ".config", "zed", "settings.json"}
	}
	return inConfig("zed", "settings.json")(home)
}

// needsRoot reports whether the project has to be known: for its file, or for an entry that names it.
func (m *McpClient) needsRoot(user bool) bool { return m.project == nil || !user }

// An McpEntry starts the server.
type McpEntry struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// entry is what the client's file has to say. user is whether the file serves every project of the user; a client that
// neither starts servers in the project nor has a variable for it then gets root.
func (m *McpClient) entry(user bool, root, tools string) McpEntry {
	e := McpEntry{Command: ownCommand(), Args: []string{"mcp"}}
	if m.stdio {
		e.Type = "stdio"
	}
	switch {
	case m.root != "":
		e.Args = append(e.Args, "--project", m.root)
	case user && m.project == nil:
		e.Args = append(e.Args, "--project", root)
	}
	if tools != "" && tools != "default" {
		e.Args = append(e.Args, "--tools="+tools)
	}
	return e
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
