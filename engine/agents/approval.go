package agents

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aurora-sidecar/aurora/internal/trust"
)

// listing is what is found for one folder.
func (r *Registry) listing(folder string) *Listing {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dress(r.discover([]string{folder}))
}

// Brought are the agents and the servers of MCP configurations that a workspace folder brings along, with what each does.
func (r *Registry) Brought(folder string) []trust.Item {
	l := r.listing(folder)
	var items []trust.Item
	add := func(item trust.Item) {
		if !slices.ContainsFunc(items, func(i trust.Item) bool { return i.Kind == item.Kind && i.Name == item.Name }) {
			items = append(items, item)
		}
	}
	for i := range l.Agents {
		if d := &l.Agents[i]; d.Origin == FromProject {
			add(r.item(d))
		}
	}
	for _, p := range r.configs([]string{folder}) {
		if p.Origin != FromProject {
			continue
		}
		all, err := servers(p.Path)
		if err != nil {
			continue // no file, or one that starts nothing
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if all[name].Command != "" && !isAurora(all[name].Command) {
				add(r.serverItem(folder, p.Path, name, all[name]))
			}
		}
	}
	return items
}

// approves reports whether an agent may be run, or read by a model: those that a project brings along need the user's approval.
func (r *Registry) approves(d *Definition) bool {
	return d.Origin != FromProject || r.approved(d.Folder, r.item(d))
}

func (r *Registry) approved(folder string, item trust.Item) bool {
	return r.opts.Approves != nil && r.opts.Approves(folder, item)
}

// item is an agent of a project as the user approves it. Its digest covers its definition and those files of the project that
// the definition names as the program or among the arguments; not what these load in their turn.
func (r *Registry) item(d *Definition) trust.Item {
	name, _, scanned := strings.Cut(d.Tool, "/")
	config := d.Type == MCP && strings.EqualFold(filepath.Ext(d.Path), ".json")
	var server server
	if config {
		all, _ := servers(r.configPath(d)) // without it nothing can be run
		if server = all[name]; !scanned && len(all) == 1 {
			for _, server = range all {
			}
		}
		if d.Source == d.Path {
			return r.serverItem(d.Folder, d.Path, name, server)
		}
	}
	static := *d
	static.Ready, static.Problem, static.SuccessRate, static.Runs, static.LastRefresh = false, "", 0, 0, time.Time{}
	named := append([]string{d.Path, server.Command}, slices.Concat(d.Args, server.Args)...)
	return trust.Item{Kind: "agent", Name: d.ID, Does: d.Does(), Digest: trust.Digest(static, d.Instructions, server, r.contents(d.Folder, named))}
}

// serverItem is a server of an MCP configuration as the user approves it.
func (r *Registry) serverItem(folder, path, name string, s server) trust.Item {
	file, err := filepath.Rel(folder, path)
	if err != nil {
		file = path
	}
	return trust.Item{
		Kind: "server", Name: name + " of " + filepath.ToSlash(file), Does: "runs " + strings.Join(append([]string{s.Command}, s.Args...), " "),
		Digest: trust.Digest(path, name, s, r.contents(folder, append([]string{s.Command}, s.Args...))),
	}
}

// contents are the digests of the files in a folder that a command line names.
func (r *Registry) contents(folder string, named []string) []string {
	var out []string
	for _, word := range named {
		path := filepath.FromSlash(r.expand(word[strings.LastIndexByte(word, '=')+1:]))
		if path == "" {
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		if inside(path, folder) {
			out = append(out, trust.FileDigest(path))
		}
	}
	return out
}

// Does says what an agent does to this machine, or has done by a model.
func (d *Definition) Does() string {
	switch {
	case d.Type == Builtin:
		return "instructions for the model, " + filepath.Base(d.Source)
	case d.Endpoint != "":
		return "sends questions and code to " + d.Endpoint
	}
	does := "runs " + strings.Join(append([]string{d.Path}, d.Args...), " ")
	if d.Type == MCP && d.Tool != "" {
		does += " for its tool " + d.Tool
	}
	if d.Sandbox {
		does += " in the sandbox"
	}
	return does
}
