package mcp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/internal/api"
)

// tools are all tools; the lean ones first, in the order in which an agent needs them. Operations that name a tool are
// tools as they stand; the others have a shape of their own and call operations.
func tools(r *api.Registry) []tool {
	lean := []tool{searchTool(), contextTool(), relatedTool(), rememberTool(), askTool()}
	for i := range lean {
		lean[i] = inLean(lean[i])
	}
	all := slices.Concat(lean, memoryTools(), jobTools(), orchestratorTools(), planTools(), serviceTools())
	for _, o := range r.Behind(0) {
		if o.Tool != "" {
			all = append(all, operationTool(o))
		}
	}
	return all
}

// ParseTools reads what a client is offered: "" or "default" for the lean set, "all", or names separated by commas, of
// which "default" may be one.
func ParseTools(list string) ([]tool, error) { return parseTools(api.Standard, list) }

func parseTools(r *api.Registry, list string) ([]tool, error) {
	all := tools(r)
	var chosen []tool
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		var added []tool
		for _, t := range all {
			if name == "all" || t.name == name || t.lean && (name == "" || name == "default") {
				added = append(added, t)
			}
		}
		if len(added) == 0 {
			return nil, &engine.Error{
				Kind: engine.Invalid, Message: fmt.Sprintf("there is no tool %q", name), Detail: "tools",
				Remedy: "Use default, all, or some of " + strings.Join(ToolNames(), ", ") + ".",
			}
		}
		for _, t := range added {
			if !slices.ContainsFunc(chosen, func(c tool) bool { return c.name == t.name }) {
				chosen = append(chosen, t)
			}
		}
	}
	return chosen, nil
}

// ToolNames are the names of all tools.
func ToolNames() []string {
	var names []string
	for _, t := range tools(api.Standard) {
		names = append(names, t.name)
	}
	return names
}
