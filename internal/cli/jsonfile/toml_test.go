package jsonfile

import (
	"strings"
	"testing"
)

type server struct {
	Command string   `toml:"command"`
	Args    []string `toml:"args"`
}

var (
	tableName = []string{"mcp_servers", "aurora"}
	ours      = server{"aurora", []string{"mcp"}}
)

const table = "[mcp_servers.aurora]\ncommand = \"aurora\"\nargs = [\"mcp\"]\n"

func TestSetTOML(t *testing.T) {
	for name, tt := range map[string]struct{ before, after string }{
		"nothing":         {"", table},
		"other keys":      {"a = 1 # one\n", "a = 1 # one\n\n" + table},
		"no line end":     {"a = 1", "a = 1\n\n" + table},
		"Windows":         {"a = 1\r\n", "a = 1\r\n\r\n" + strings.ReplaceAll(table, "\n", "\r\n")},
		"said so already": {"[ mcp_servers . \"aurora\" ] # ours\nargs = ['mcp']\ncommand = 'aurora'\n", "[ mcp_servers . \"aurora\" ] # ours\nargs = ['mcp']\ncommand = 'aurora'\n"},
		"another command": {"[mcp_servers.aurora]\ncommand = \"old\"\n\n[mcp_servers.b]\ncommand = \"b\"\n", table + "\n[mcp_servers.b]\ncommand = \"b\"\n"},
		"its environment": {"[mcp_servers.aurora]\ncommand = \"old\"\n[mcp_servers.aurora.env]\nA = \"1\"\n[[list]]\nx = 1\n", table + "\n[[list]]\nx = 1\n"},
	} {
		after, err := SetTOML([]byte(tt.before), tableName, ours)
		if err != nil || string(after) != tt.after {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, after, tt.after)
		}
		var got server
		if ok, err := GetTOML(after, tableName, &got); err != nil || !ok || got.Command != ours.Command || len(got.Args) != 1 {
			t.Errorf("%s: read %+v, %v, %v", name, got, ok, err)
		}
	}
}

func TestRemoveTOMLUndoesSetTOML(t *testing.T) {
	for _, before := range []string{"", "a = 1 # one\n", "a = 1\r\n", "[mcp_servers.b]\ncommand = \"b\"\n", "text = '''\n[mcp_servers.x]\n'''\n"} {
		after, err := SetTOML([]byte(before), tableName, ours)
		if err != nil {
			t.Fatal(err)
		}
		if got, found, empty, err := RemoveTOML(after, tableName); err != nil || !found || empty != (before == "") || string(got) != before {
			t.Errorf("%q: left %q, found %v, empty %v, %v", before, got, found, empty, err)
		}
	}
	if got, found, _, err := RemoveTOML([]byte("a = 1\n"), tableName); err != nil || found || string(got) != "a = 1\n" {
		t.Errorf("nothing to remove: %q, %v, %v", got, found, err)
	}
}

// What is written in a form that is not understood stays as it is.
func TestTOMLRefuses(t *testing.T) {
	for _, text := range []string{
		"a = \n", "mcp_servers = { aurora = { command = \"old\" } }\n", "mcp_servers.aurora.command = \"old\"\n",
		"[mcp_servers]\naurora = { command = \"old\" }\n", "mcp_servers = 3\n", strings.Repeat("a", maxTOML+1),
		"text = '''\n[mcp_servers.aurora]\n'''\n[mcp_servers]\naurora.command = \"old\"\n",
	} {
		if got, err := SetTOML([]byte(text), tableName, ours); err == nil {
			t.Errorf("%.80q became %.200q", text, got)
		}
	}
}
