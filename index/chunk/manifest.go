package chunk

import (
	"bytes"
	"encoding/json"

	"github.com/tailscale/hujson"
)

// maxManifest is the size above which a JSON file is data and no manifest.
const maxManifest = 64 << 10

// A Manifest is what the files beside the sources of JavaScript say about modules: package.json about a package, and
// tsconfig.json about the compiler. Only what is needed to find the file that an import means is kept.
type Manifest struct {
	// Of package.json.
	Name    string          `json:"name,omitempty"`
	Exports json.RawMessage `json:"exports,omitempty"`
	Imports json.RawMessage `json:"imports,omitempty"`
	Source  string          `json:"source,omitempty"`
	Types   string          `json:"types,omitempty"`
	Typings string          `json:"typings,omitempty"`
	Module  string          `json:"module,omitempty"`
	Main    string          `json:"main,omitempty"`

	// Of tsconfig.json and jsconfig.json.
	Extends    json.RawMessage  `json:"extends,omitempty"` // a path or a list of paths
	Compiler   *CompilerOptions `json:"compilerOptions,omitempty"`
	References []struct {
		Path string `json:"path"`
	} `json:"references,omitempty"`
}

// CompilerOptions are those of TypeScript that say where modules are.
type CompilerOptions struct {
	BaseURL          string              `json:"baseUrl,omitempty"`
	Paths            map[string][]string `json:"paths,omitempty"`
	CustomConditions []string            `json:"customConditions,omitempty"`
}

// manifest is the manifest that a text holds, as JSON in a fixed order, "" for most.
func manifest(language string, src []byte) string {
	if language != "json" || len(src) > maxManifest || !looksLikeManifest(src) {
		return ""
	}
	plain, err := hujson.Standardize(bytes.Clone(src))
	if err != nil {
		return ""
	}
	var m Manifest
	if json.Unmarshal(plain, &m) != nil {
		return ""
	}
	text, err := json.Marshal(m)
	if err != nil || len(text) <= len("{}") {
		return ""
	}
	return string(text)
}

// looksLikeManifest spares data the work of being read twice.
func looksLikeManifest(src []byte) bool {
	for _, key := range []string{`"compilerOptions"`, `"references"`, `"extends"`} {
		if bytes.Contains(src, []byte(key)) {
			return true
		}
	}
	return bytes.Contains(src, []byte(`"name"`)) && (bytes.Contains(src, []byte(`"version"`)) ||
		bytes.Contains(src, []byte(`"private"`)) || bytes.Contains(src, []byte(`"main"`)) || bytes.Contains(src, []byte(`"exports"`)))
}
