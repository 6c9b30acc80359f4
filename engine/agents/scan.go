package agents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A server is an entry of an MCP configuration, as Claude Code, Cursor and VS Code write them.
type server struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	URL     string            `json:"url"`
}

// servers reads the entries of a configuration.
func servers(path string) (map[string]server, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		MCPServers map[string]server `json:"mcpServers"`
		Servers    map[string]server `json:"servers"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, errors.New("it is no MCP configuration: " + placed(data, err))
	}
	if file.MCPServers != nil {
		return file.MCPServers, nil
	}
	return file.Servers, nil
}

// serverCommand is the program of an agent whose path is an MCP configuration: the server is named before the tool,
// "server/tool", unless there is just one.
func (r *Registry) serverCommand(d *Definition) (*exec.Cmd, error) {
	path := r.configPath(d)
	all, err := servers(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	name, _, _ := strings.Cut(d.server(), "/")
	s, ok := all[name]
	if !ok && d.server() == "" && len(all) == 1 {
		for name, s = range all {
			ok = true
		}
	}
	if !ok {
		return nil, fmt.Errorf("%s has no server %q; it has %s", path, name, listed(slices.Sorted(maps.Keys(all))))
	}
	if s.Command == "" {
		return nil, fmt.Errorf("the server %s in %s is no program; give its URL as endpoint", name, path)
	}
	program, err := r.program(d, os.Expand(s.Command, os.Getenv))
	if err != nil {
		return nil, err
	}
	args := make([]string, len(s.Args))
	for i, arg := range s.Args {
		args[i] = expandVariables(arg)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = environment(d.Env)
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		cmd.Env = append(cmd.Env, name+"="+expandVariables(s.Env[name]))
	}
	return cmd, nil
}

// expandVariables replaces ${NAME}; a bare $ stays.
func expandVariables(s string) string {
	for from := 0; ; {
		at := strings.Index(s[from:], "${")
		if at < 0 {
			return s
		}
		at += from
		end := strings.IndexByte(s[at:], '}')
		if end < 0 {
			return s
		}
		value := os.Getenv(s[at+2 : at+end])
		s = s[:at] + value + s[at+end+1:]
		from = at + len(value)
	}
}

// configPath is the absolute path of the MCP configuration of a definition.
func (r *Registry) configPath(d *Definition) string {
	path := r.expand(d.Path)
	switch {
	case filepath.IsAbs(path):
		return path
	case d.Origin == FromProject:
		return filepath.Join(d.Folder, filepath.FromSlash(path))
	}
	return filepath.Join(filepath.Dir(d.Source), filepath.FromSlash(path))
}

// scanTimeout bounds how long one MCP server may take to tell its tools.
const scanTimeout = 20 * time.Second

// scanTools asks the servers of the MCP configurations for their tools. A tool becomes an agent when it says
// that it only reads, and takes a task in words: which tool is called is up to a plan, which no person has seen.
func (r *Registry) scanTools(ctx context.Context, folders []string) (tools []Definition, problems []Problem) {
	for _, p := range r.configs(folders) {
		all, err := servers(p.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			problems = append(problems, Problem{File: p.Path, Message: err.Error()})
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if ctx.Err() != nil {
				return tools, problems
			}
			if all[name].Command == "" || isAurora(all[name].Command) || p.Origin == FromProject && !r.approved(p.Folder, r.serverItem(p.Folder, p.Path, name, all[name])) {
				continue
			}
			found, err := r.scanServer(ctx, p, name)
			if err != nil {
				problems = append(problems, Problem{File: p.Path, Agent: name, Message: "its tools can't be listed: " + err.Error(), Warning: true})
			}
			tools = append(tools, found...)
		}
	}
	return tools, problems
}

// isAurora keeps AURORA from asking itself.
func isAurora(command string) bool {
	base := strings.TrimSuffix(filepath.Base(command), ".exe")
	return base == "aurora" || base == "aur"
}

func (r *Registry) configs(folders []string) []Path {
	scan := Registry{opts: r.opts}
	scan.opts.Paths = r.opts.ScanConfigs
	return scan.places(folders)
}

func (r *Registry) scanServer(ctx context.Context, p Path, name string) ([]Definition, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, scanTimeout, errStopped)
	defer cancel()
	d := Definition{Type: MCP, Launch: Launch{Path: p.Path, Tool: name + "/"}, Provenance: Provenance{Source: p.Path, Origin: p.Origin, Folder: p.Folder}}
	folder := p.Folder
	if folder == "" {
		folder = r.opts.UserHome
	}
	session, done, err := r.connect(ctx, &d, folder, nil)
	if err != nil {
		return nil, err
	}
	defer done()
	var out []Definition
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return out, err
		}
		if len(out) == maxTools {
			break
		}
		if agent, ok := d.ofTool(name, tool); ok {
			out = append(out, agent)
		}
	}
	return out, nil
}

// ofTool makes an agent of a tool that can be one.
func (d Definition) ofTool(server string, tool *sdk.Tool) (Definition, bool) {
	if tool.Annotations == nil || !tool.Annotations.ReadOnlyHint || taskArgument(tool) == "" {
		return d, false
	}
	d.ID = slug(server + "-" + tool.Name)
	d.Tool = server + "/" + tool.Name
	d.Description, d.Capabilities, d.Domains = short(tool.Description), names([]string{tool.Name}), []string{"general"}
	d.Availability, d.SuccessRate = "always", usualRate
	return d, validID.MatchString(d.ID) && !isBuiltin(d.ID)
}

// server is the part of Tool that names the server of an MCP configuration.
func (d *Definition) server() string {
	name, _, ok := strings.Cut(d.Tool, "/")
	if !ok {
		return ""
	}
	return name
}

// toolAgents are the tools of the last scan whose ids are free and whose configurations are still asked for.
func (r *Registry) toolAgents(tools []Definition, l *Listing) []Definition {
	var out []Definition
	for _, d := range tools {
		free := !slices.ContainsFunc(l.Agents, func(t Definition) bool { return t.ID == d.ID })
		if free && len(r.opts.ScanConfigs) > 0 && !elsewhere(d, l.folders) {
			d.Ready, d.Problem = false, ""
			out = append(out, d)
		}
	}
	return out
}

// toolName is the part of Tool that names the tool.
func (d *Definition) toolName() string {
	if _, name, ok := strings.Cut(d.Tool, "/"); ok && strings.EqualFold(filepath.Ext(d.Path), ".json") {
		return name
	}
	return d.Tool
}

// elsewhere reports whether a tool belongs to a project that is not among the folders.
func elsewhere(d Definition, folders []string) bool {
	return d.Origin == FromProject && !slices.Contains(folders, d.Folder)
}
