package agents

import (
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/aurora-sidecar/aurora/internal/cli/jsonfile"
	"github.com/aurora-sidecar/aurora/internal/config"
)

// McpLedger is the file in AURORA's folder that names the clients' files with an entry that "aurora setup" wrote.
const McpLedger = "mcp-clients.json"

// noteClients remembers which files have an entry, so that they are found again from any folder.
func noteClients(changes []*ClientChange) error {
	home, err := config.Home()
	if err != nil {
		return nil // without a home nothing is remembered
	}
	return jsonfile.Update(filepath.Join(home, McpLedger), maxLedger, func(text []byte) ([]byte, error) {
		noted := readLedger(text)
		for _, change := range changes {
			if change.of == nil {
				continue // no client's
			}
			files := slices.DeleteFunc(noted[change.Client], func(path string) bool { return path == change.File })
			if change.entered {
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

// NotedClients are the files that have an entry, by the client's name.
func NotedClients() map[string][]string {
	home, err := config.Home()
	if err != nil {
		return nil
	}
	text, err := jsonfile.Read(filepath.Join(home, McpLedger), maxLedger)
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

// maxLedger bounds the ledger, in bytes.
const maxLedger = 1 << 20
