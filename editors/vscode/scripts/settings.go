//go:build ignore

// Settings prints what the extension has from internal/config as JSON: the settings of its page in the order of the code,
// each with name, JSON Schema, group and who may set it, and the JSON Schema of config.json. scripts/generate.mjs makes
// the extension's files of it.
//
//	go run editors/vscode/scripts/settings.go
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/aurora-sidecar/aurora/internal/config"
)

// setting is one value on the settings page.
type setting struct {
	Name     string         `json:"name"` // search.limit
	UserOnly bool           `json:"userOnly"`
	Schema   map[string]any `json:"schema"`
}

func main() {
	page := []setting{}
	for _, info := range config.Keys() {
		if info.OnPage {
			page = append(page, setting{info.Name, info.UserOnly, info.Schema()})
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"page": page, "schema": config.Schema()}); err != nil {
		fmt.Fprintln(os.Stderr, "settings:", err)
		os.Exit(1)
	}
}
