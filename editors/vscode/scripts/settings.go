//go:build ignore

// Settings prints the settings of internal/config as JSON, in the order of the code: name, JSON Schema and who may set
// it. scripts/generate.mjs makes the extension's settings of it.
//
//	go run editors/vscode/scripts/settings.go
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/aurora-sidecar/aurora/internal/config"
)

// setting is one value that can be set.
type setting struct {
	Name     string         `json:"name"` // search.bm25.k1
	UserOnly bool           `json:"userOnly"`
	Schema   map[string]any `json:"schema"`
}

func main() {
	var all []setting
	for _, info := range config.Keys() {
		all = append(all, setting{info.Name, info.UserOnly, info.Schema()})
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		fmt.Fprintln(os.Stderr, "settings:", err)
		os.Exit(1)
	}
}
