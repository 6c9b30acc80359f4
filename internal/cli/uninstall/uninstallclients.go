package uninstall

import (
	"context"
	"fmt"
	"slices"

	"github.com/aurora-sidecar/aurora/internal/cli/agents"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/jsonfile"
	"github.com/aurora-sidecar/aurora/internal/cli/workspace"
)

// addClients plans for the entries of the MCP server: in the files of the ledger, the user's own, and this project's.
func (p *UninstallPlan) addClients(c *app.App) error {
	root, err := workspace.ProjectRoot(c, ".")
	if err != nil {
		root = ""
	}
	noted := agents.NotedClients()
	for i := range agents.McpClients {
		client := &agents.McpClients[i]
		files := slices.Clone(noted[client.Name])
		for _, shared := range []bool{false, true} {
			if path, err := client.File(shared, root); err == nil && path != "" && (!shared || root != "") {
				files = append(files, path)
			}
		}
		slices.Sort(files)
		for _, path := range slices.Compact(files) {
			if err := p.addClient(client, path); err != nil {
				return err
			}
		}
	}
	return nil
}

// addClient plans for the entry in one file, when there is one and it is ours.
func (p *UninstallPlan) addClient(client *agents.McpClient, path string) error {
	before, err := jsonfile.Read(path, agents.MaxClientFile)
	if err != nil || before == nil {
		return nil // not there, or nothing that we wrote
	}
	entered, err := client.Entered(before)
	if err != nil {
		p.keep(path, "the configuration of "+client.Title+", which can't be read: "+err.Error(), "by hand")
		return nil
	}
	if !entered {
		return nil
	}
	change, err := client.Removal(path, before)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	p.Remove = append(p.Remove, Removal{Sort: "client", Path: path + " (the entry of " + client.Title + ")", Do: func(context.Context) error { return change.Make(true) }})
	return nil
}
