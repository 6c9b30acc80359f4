package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/cmd/aurora/internal/jsonfile"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// mcpLedger is the file in AURORA's folder that names the clients' files which "aurora mcp install" wrote.
const mcpLedger = "mcp-clients.json"

// maxLedger bounds the ledger, in bytes.
const maxLedger = 1 << 20

// addClients plans for the entries of the MCP server: in the files of the ledger, the user's own, and this project's.
func (p *uninstallPlan) addClients(c *cli) error {
	root, err := c.projectRoot(".")
	if err != nil {
		root = ""
	}
	noted := notedClients()
	for i := range mcpClients {
		client := &mcpClients[i]
		files := slices.Clone(noted[client.name])
		for _, user := range []bool{true, false} {
			if path, own, err := client.file(user, root); err == nil && (own || root != "") {
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
func (p *uninstallPlan) addClient(client *mcpClient, path string) error {
	before, err := jsonfile.Read(path, maxClientFile)
	if err != nil || before == nil {
		return nil // not there, or nothing that we wrote
	}
	text, ok, err := jsonfile.Get(before, []string{client.key, "aurora"})
	if err != nil {
		p.keep(path, "the configuration of "+client.title+", which can't be read: "+err.Error(), "by hand")
		return nil
	}
	var entry mcpEntry
	if !ok || json.Unmarshal(text, &entry) != nil || !ourCommand(entry.Command) {
		return nil
	}
	after, err := uninstall(*client, before, mcpEntry{})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	change := &clientChange{Client: client.name, File: path, before: before, after: after}
	backup := path + backupSuffix
	wholeFile := after == nil && !exists(backup) // we made the file, so nobody misses a copy of it
	p.Remove = append(p.Remove, removal{Sort: "client", Path: path + " (the entry of " + client.title + ")", do: func(context.Context) error {
		err := change.make(true)
		if err == nil && wholeFile {
			err = os.Remove(backup)
		}
		return err
	}})
	if !wholeFile {
		p.keep(backup, "that file as it was before", "by hand")
	}
	return nil
}

// ourCommand reports whether a client starts AURORA by this command.
func ourCommand(command string) bool {
	name := strings.TrimSuffix(filepath.Base(command), ".exe")
	return name == "aurora" || name == "aur"
}

// noteClients remembers which files have an entry, so that they are found again from any folder.
func noteClients(changes []*clientChange) error {
	home, err := config.Home()
	if err != nil {
		return nil // without a home nothing is remembered
	}
	return jsonfile.Update(filepath.Join(home, mcpLedger), maxLedger, func(text []byte) ([]byte, error) {
		noted := readLedger(text)
		for _, change := range changes {
			files := slices.DeleteFunc(noted[change.Client], func(path string) bool { return path == change.File })
			if _, ok, err := jsonfile.Get(change.after, []string{clientKey(change.Client), "aurora"}); change.after != nil && err == nil && ok {
				files = append(files, change.File)
			}
			noted[change.Client] = files
			if len(files) == 0 {
				delete(noted, change.Client)
			}
		}
		return json.MarshalIndent(noted, "", "  ")
	})
}

func clientKey(name string) string {
	i := slices.IndexFunc(mcpClients, func(m mcpClient) bool { return m.name == name })
	if i < 0 {
		return ""
	}
	return mcpClients[i].key
}

// notedClients are the files that have an entry, by the client's name.
func notedClients() map[string][]string {
	home, err := config.Home()
	if err != nil {
		return nil
	}
	text, err := jsonfile.Read(filepath.Join(home, mcpLedger), maxLedger)
	if err != nil {
		return nil
	}
	return readLedger(text)
}

// readLedger is empty when the text is none: the files that are found without it have to do.
func readLedger(text []byte) map[string][]string {
	noted := map[string][]string{}
	if json.Unmarshal(text, &noted) != nil {
		return map[string][]string{}
	}
	return noted
}
