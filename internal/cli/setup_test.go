package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aurora-sidecar/aurora/internal/cli/agents"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
)

func (p *project) read(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

func (p *project) has(name string) bool {
	_, err := os.Lstat(filepath.Join(p.dir, name))
	return err == nil
}

// What is installed can be taken out again, and the file is as it was.
func TestInstallAndUndo(t *testing.T) {
	for client, tt := range map[string]struct {
		file, before string
		says         []string
	}{
		"claude-code": {".mcp.json", "{\n  \"mcpServers\": {\n    \"other\": {\n      \"command\": \"x\"\n    }\n  }\n}\n", []string{`"aurora": {`, `"type": "stdio"`}},
		"cursor":      {".cursor/mcp.json", "{\n\t\"mcpServers\": {\n\t\t\"other\": {\n\t\t\t\"url\": \"http://x\"\n\t\t}\n\t}\n}\n", []string{"${workspaceFolder}", "\t\t\"aurora\": {"}},
		"vscode":      {".vscode/mcp.json", "// servers of the team\n{\n  \"inputs\": [], // none\n  \"servers\": {\n    \"other\": {\n      \"command\": \"x\"\n    }\n  }\n}\n", []string{"// servers of the team", "// none", `"servers"`}},
		"zed":         {".zed/settings.json", "{\n  // my theme\n  \"theme\": \"One\"\n}\n", []string{`"context_servers": {`, "// my theme"}},
		"opencode":    {"opencode.json", "{\n  \"theme\": \"dark\"\n}\n", []string{`"mcp": {`, `"type": "local"`, `"enabled": true`, `"command": [`}},
		"gemini-cli":  {".gemini/settings.json", "{\n  \"theme\": \"dark\"\n}\n", []string{`"theme": "dark"`}},
	} {
		t.Run(client, func(t *testing.T) {
			p := smallProject(t)
			p.write(tt.file, tt.before)
			shown := p.run("aurora", "setup", "--shared", "--client", client)
			if shown.code != app.ExitOK || !strings.Contains(shown.out, "+ ") || !strings.Contains(shown.out, "Nothing was written") || p.read(tt.file) != tt.before {
				t.Errorf("a dry run: %s\n%s", shown, p.read(tt.file))
			}
			if got := p.run("aurora", "setup", "--shared", "--client", client, "--write"); got.code != app.ExitOK || !strings.Contains(got.out, "changed") {
				t.Fatalf("install: %s", got)
			}
			after := p.read(tt.file)
			for _, words := range append(tt.says, `"mcp"`) {
				if !strings.Contains(after, words) {
					t.Errorf("no %s in:\n%s", words, after)
				}
			}
			if kept := p.read(tt.file + agents.BackupSuffix); kept != tt.before {
				t.Errorf("the copy: %s", kept)
			}
			if got := p.run("aurora", "setup", "--shared", "--client", client, "--write"); !strings.Contains(got.out, "unchanged") || p.read(tt.file) != after {
				t.Errorf("once more: %s", got)
			}
			if got := p.run("aurora", "setup", "--shared", "--client", client, "--tools=all", "--write"); !strings.Contains(got.out, "changed") || p.read(tt.file+agents.BackupSuffix) != tt.before {
				t.Errorf("another install takes the first copy away: %s", got)
			}
			if got := p.run("aurora", "setup", "--undo", "--client", client, "--write"); got.code != app.ExitOK || p.read(tt.file) != tt.before || p.has(tt.file+agents.BackupSuffix) {
				t.Errorf("uninstall: %s\n%s\nwant\n%s", got, p.read(tt.file), tt.before)
			}
		})
	}
}

// A file that nobody has changed since is what it was, to the last byte, in whatever form it was kept.
func TestUndoRestoresEveryByte(t *testing.T) {
	for name, before := range map[string]string{
		"one line, no line end":    `{"theme": "One", "projects": {"/a": {}}}`,
		"an empty object":          "{\n  \"theme\": \"One\", // mine\n  \"context_servers\": {}\n}\n",
		"commas at the end":        "{\n  \"context_servers\": {\n    \"x\": {\"command\": \"x\"},\n  },\n}\n",
		"line ends of Windows":     "{\r\n  \"theme\": \"One\"\r\n}\r\n",
		"a byte order mark":        "\xEF\xBB\xBF{\n  \"theme\": \"One\"\n}\n",
		"an empty file":            "",
		"another one's \"aurora\"": "{\n  \"context_servers\": {\n    \"aurora\": {\"command\": \"borealis\"}\n  }\n}\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := smallProject(t)
			p.write(".zed/settings.json", before)
			p.mustRun("aurora", "setup", "--shared", "--client", "zed", "--write")
			if got := p.read(".zed/settings.json"); strings.Count(before, "\r") > 0 && strings.Count(got, "\r") != strings.Count(got, "\n") {
				t.Errorf("line ends are mixed: %q", got)
			}
			p.mustRun("aurora", "setup", "--shared", "--client", "zed", "--tools=all", "--write")
			p.mustRun("aurora", "setup", "--undo", "--client", "zed", "--write")
			if got := p.read(".zed/settings.json"); got != before || p.has(".zed/settings.json"+agents.BackupSuffix) {
				t.Errorf("left %q, want %q", got, before)
			}
		})
	}
}

// What a person writes into the file afterwards stays, and a file that was there and had nothing in it is there again.
func TestUninstallKeepsLaterChanges(t *testing.T) {
	p := smallProject(t)
	for _, tt := range []struct{ before, edit, want string }{
		{"{}\n", "", "{}\n"},
		{"{\n  \"theme\": \"One\"\n}\n", "Two", "{\n  \"theme\": \"Two\"\n}\n"},
	} {
		p.write(".zed/settings.json", tt.before)
		p.mustRun("aurora", "setup", "--shared", "--client", "zed", "--write")
		if tt.edit != "" {
			p.write(".zed/settings.json", strings.Replace(p.read(".zed/settings.json"), "One", tt.edit, 1))
		}
		p.mustRun("aurora", "setup", "--shared", "--client", "zed", "--tools=all", "--write")
		p.mustRun("aurora", "setup", "--undo", "--client", "zed", "--write")
		if got := p.read(".zed/settings.json"); got != tt.want || p.has(".zed/settings.json"+agents.BackupSuffix) {
			t.Errorf("%q: left %q, want %q", tt.before, got, tt.want)
		}
	}
}

// A file that install made goes with uninstall.
func TestInstallMakesTheFile(t *testing.T) {
	p := smallProject(t)
	if got := p.run("aurora", "setup", "--shared", "--client", "claude-code,cursor", "--tools=all", "--write"); got.code != app.ExitOK {
		t.Fatal(got)
	}
	var file struct {
		Servers map[string]agents.McpEntry `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(p.read(".mcp.json")), &file); err != nil {
		t.Fatal(err)
	}
	if e := file.Servers["aurora"]; !filepath.IsAbs(e.Command) || strings.Join(e.Args, " ") != "mcp --tools=all" {
		t.Errorf("entry %+v", e)
	}
	if got := p.run("aurora", "setup", "--undo", "--client", "claude-code"); !strings.Contains(got.out, "would be removed") || !p.has(".mcp.json") {
		t.Errorf("a dry run: %s", got)
	}
	if got := p.run("aurora", "setup", "--undo", "--client", "claude-code,cursor", "--write"); got.code != app.ExitOK || p.has(".mcp.json") || p.has(".cursor/mcp.json") {
		t.Errorf("uninstall: %s", got)
	}
	if got := p.run("aurora", "setup", "--shared", "--client", "zed", "--write"); !strings.Contains(got.out, "your PATH finds no such aurora") {
		t.Errorf("a whole path is written without a word: %s", got)
	}
	if got := p.run("aurora", "setup", "--undo", "--client", "zed", "--write"); got.code != app.ExitOK || p.has(".zed/settings.json") || p.has(".zed/settings.json"+agents.BackupSuffix) {
		t.Errorf("something is left: %s", got)
	}
	if got := p.run("aurora", "setup", "--undo", "--client", "claude-code", "--write"); got.code != app.ExitOK || !strings.Contains(got.out, "unchanged") {
		t.Errorf("nothing to take out: %s", got)
	}
}

func TestInstallForTheUser(t *testing.T) {
	p := smallProject(t)
	for client, file := range map[string]string{
		"claude-code": ".claude.json", "cursor": ".cursor/mcp.json", "windsurf": ".codeium/windsurf/mcp_config.json",
	} {
		if got := p.run("aurora", "setup", "--client", client, "--write"); got.code != app.ExitOK {
			t.Fatal(got)
		}
		data, err := os.ReadFile(filepath.Join(p.home, file))
		if err != nil {
			t.Fatal(err)
		}
		if knows := strings.Contains(string(data), p.dir); knows != (client == "windsurf") {
			t.Errorf("%s: %s", client, data)
		}
	}
}

// The user's own file needs no project.
func TestInstallOutsideAProject(t *testing.T) {
	p := newProject(t)
	t.Chdir(p.home)
	if got := p.run("aurora", "setup", "--client", "claude-code", "--write"); got.code != app.ExitOK {
		t.Errorf("for the user: %s", got)
	}
	for _, args := range [][]string{{"--client", "claude-code", "--shared"}, {"--client", "windsurf"}, {"--agents-md"}} {
		if got := p.run(append([]string{"aurora", "setup"}, args...)...); got.code != app.ExitFailed || !strings.Contains(got.err, "--project") {
			t.Errorf("%v: %s", args, got)
		}
	}
}

// A read-only file stays as it is, and what was done before is told.
func TestInstallLeavesReadOnlyFiles(t *testing.T) {
	p := smallProject(t)
	p.write(".cursor/mcp.json", "{}")
	if err := os.Chmod(filepath.Join(p.dir, ".cursor/mcp.json"), 0o444); err != nil {
		t.Fatal(err)
	}
	got := p.run("aurora", "setup", "--shared", "--client", "claude-code,cursor", "--write")
	if got.code != app.ExitFailed || !strings.Contains(got.err, "read-only") || !strings.Contains(got.out, "claude-code: ") || p.read(".cursor/mcp.json") != "{}" || !p.has(".mcp.json") {
		t.Errorf("%s\n%s", got, p.read(".cursor/mcp.json"))
	}
}

// One file that can't be read keeps every file from being written.
func TestInstallRefuses(t *testing.T) {
	p := smallProject(t)
	p.write(".cursor/mcp.json", "{\n  \"mcpServers\": {,}\n}\n")
	p.write(".vscode/mcp.json", `{"servers": []}`)
	p.write(".zed/settings.json", `[]`)
	for _, tt := range []struct {
		args []string
		code int
		says []string
	}{
		{[]string{"--client", "claude-code,cursor", "--write"}, app.ExitFailed, []string{".cursor/mcp.json", "line 2, column 18", "Nothing was written"}},
		{[]string{"--client", "claude-code,vscode", "--write"}, app.ExitFailed, []string{"servers: it is not an object"}},
		{[]string{"--client", "zed", "--write"}, app.ExitFailed, []string{"it is not an object"}},
		{[]string{"--client", "cursr"}, app.ExitUsage, []string{"unknown client 'cursr'", "Did you mean 'cursor'?"}},
		{[]string{"--client", "claude-code,windsurf", "--write"}, app.ExitFailed, []string{"Windsurf has no configuration in a project", "Nothing was written"}},
		{[]string{"--client", "zed", "--tools=none"}, app.ExitUsage, []string{`there is no tool "none"`}},
	} {
		got := p.run(append([]string{"aurora", "setup", "--shared"}, tt.args...)...)
		for _, words := range tt.says {
			if got.code != tt.code || !strings.Contains(got.err, words) {
				t.Errorf("%v: no %q: %s", tt.args, words, got)
			}
		}
	}
	if p.has(".mcp.json") || p.read(".vscode/mcp.json") != `{"servers": []}` || p.has(".vscode/mcp.json"+agents.BackupSuffix) {
		t.Error("something was written")
	}
}

// userFile reads a file of the home folder, "" when there is none.
func (p *project) userFile(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.home, name))
	if err != nil && !os.IsNotExist(err) {
		p.t.Fatal(err)
	}
	return string(data)
}

// What is found is entered, and taken out again, to the last byte.
func TestSetupFindsClients(t *testing.T) {
	p := smallProject(t)
	const codex, guide = "model = \"o9\"\n\n[mcp_servers.other]\ncommand = \"x\"", "# For agents\n\nTabs, no spaces.\n"
	for name, text := range map[string]string{".codex/config.toml": codex, ".claude/settings.json": "{}", ".config/Code/User/settings.json": "{}"} {
		file := filepath.Join(p.home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	p.write("AGENTS.md", guide)
	shown := p.mustRun("aurora", "setup", "--agents-md")
	for _, words := range []string{"claude-code: ", "codex: ", "AGENTS.md: ", "+ [mcp_servers.aurora]", "VS Code has the server from AURORA's extension", "Nothing was written"} {
		if !strings.Contains(shown.out, words) {
			t.Errorf("no %q: %s", words, shown)
		}
	}
	if strings.Contains(shown.out, "cursor: ") || p.userFile(".claude.json") != "" || p.userFile(".codex/config.toml") != codex || p.read("AGENTS.md") != guide {
		t.Errorf("a dry run: %s", shown)
	}
	p.mustRun("aurora", "setup", "--agents-md", "--write")
	if got := p.userFile(".codex/config.toml"); !strings.HasPrefix(got, codex+"\n\n[mcp_servers.aurora]\ncommand = ") || !strings.Contains(got, "args = [\"mcp\"]") {
		t.Errorf("codex: %s", got)
	}
	if got := p.read("AGENTS.md"); !strings.HasPrefix(got, guide+"\n<!-- aurora: begin -->\n") || !strings.Contains(got, "`remember`") {
		t.Errorf("AGENTS.md: %s", got)
	}
	if again := p.mustRun("aurora", "setup", "--agents-md", "--write"); strings.Count(again.out, "unchanged") != 3 {
		t.Errorf("once more: %s", again)
	}
	undone := p.mustRun("aurora", "setup", "--undo", "--write")
	if p.userFile(".codex/config.toml") != codex || p.userFile(".claude.json") != "" || p.read("AGENTS.md") != guide || p.userFile(".codex/config.toml.before-aurora") != "" {
		t.Errorf("%s\n%s\n%s", undone, p.userFile(".codex/config.toml"), p.read("AGENTS.md"))
	}
	if got := p.mustRun("aurora", "setup", "--undo"); !strings.Contains(got.out, "No client has an entry of AURORA") {
		t.Errorf("nothing to undo: %s", got)
	}
}

// A project can't have a file outside of it changed, and a section without an end is not guessed at.
func TestSetupRefusesFilesOfTheProject(t *testing.T) {
	p := smallProject(t)
	outside := filepath.Join(t.TempDir(), "profile")
	if err := errors.Join(os.WriteFile(outside, []byte("{}"), 0o644), os.Symlink(outside, filepath.Join(p.dir, "AGENTS.md")), os.Symlink(outside, filepath.Join(p.dir, ".mcp.json"))); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--agents-md", "--client", "claude-code"}, {"--shared", "--client", "claude-code"}} {
		if got := p.run(append([]string{"aurora", "setup", "--write"}, args...)...); got.code != app.ExitFailed || !strings.Contains(got.err, "outside of the project") {
			t.Errorf("%v: %s", args, got)
		}
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != "{}" {
		t.Errorf("%s, %v", text, err)
	}
	if err := os.Remove(filepath.Join(p.dir, "AGENTS.md")); err != nil {
		t.Fatal(err)
	}
	p.write("AGENTS.md", "x\n<!-- aurora: begin -->\n")
	if got := p.run("aurora", "setup", "--write", "--agents-md", "--client", "claude-code"); got.code != app.ExitFailed || !strings.Contains(got.err, "line 2 begins a section") || p.userFile(".claude.json") != "" {
		t.Errorf("%s", got)
	}
}

// The server is tried as clients start it: in a project by a search, elsewhere by its tools.
func TestSetupTriesTheServer(t *testing.T) {
	p := sharing(t, 60)
	if got := p.binary("setup", "--client", "claude-code", "--write"); got.code != app.ExitOK || !strings.Contains(got.out, "tried as a client starts it: 5 tools, and an answer of its search after") {
		t.Errorf("%s", got)
	}
	for _, args := range [][]string{{"--client", "claude-code"}, {"--undo", "--write"}} {
		if got := p.binary(append([]string{"setup"}, args...)...); got.code != app.ExitOK || strings.Contains(got.out, "tried") {
			t.Errorf("%v: %s", args, got)
		}
	}
	cmd := p.command("aurora", "setup", "--client", "claude-code", "--write")
	cmd.Dir = p.home
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "tried as a client starts it: 5 tools after") {
		t.Errorf("outside of a project: %v\n%s", err, out)
	}
}
