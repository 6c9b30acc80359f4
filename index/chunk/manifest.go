package chunk

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/tailscale/hujson"

	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// maxManifest is the size above which a JSON file is data and no manifest.
const maxManifest = 64 << 10

// A Manifest is what the files beside the sources say about modules: package.json about a package of JavaScript, tsconfig.json
// about its compiler, go.mod about a module of Go, Cargo.toml about a crate of Rust, composer.json about a package of PHP. Only what is needed to find the file that an import means is kept.
type Manifest struct {
	// Of package.json; of go.mod and Cargo.toml the name, as the code writes it, and of the latter where the library is.
	Name    string          `json:"name,omitempty"`
	Exports json.RawMessage `json:"exports,omitempty"`
	Imports json.RawMessage `json:"imports,omitempty"`
	Source  string          `json:"source,omitempty"`
	Types   string          `json:"types,omitempty"`
	Typings string          `json:"typings,omitempty"`
	Module  string          `json:"module,omitempty"`
	Main    string          `json:"main,omitempty"`

	// Of composer.json.
	Autoload    *Autoload `json:"autoload,omitempty"`
	AutoloadDev *Autoload `json:"autoload-dev,omitempty"`

	// Of tsconfig.json and jsconfig.json.
	Extends    json.RawMessage  `json:"extends,omitempty"` // a path or a list of paths
	Compiler   *CompilerOptions `json:"compilerOptions,omitempty"`
	References []struct {
		Path string `json:"path"`
	} `json:"references,omitempty"`
}

// Autoload says in which folders, relative to the manifest, the classes of a namespace of PHP are: a path, or a list of paths, by the
// namespace with a backslash behind it.
type Autoload struct {
	PSR4 map[string]json.RawMessage `json:"psr-4,omitempty"`
}

// CompilerOptions are those of TypeScript that say where modules are.
type CompilerOptions struct {
	BaseURL          string              `json:"baseUrl,omitempty"`
	Paths            map[string][]string `json:"paths,omitempty"`
	CustomConditions []string            `json:"customConditions,omitempty"`
}

// manifest is the manifest that a text holds, as JSON in a fixed order, "" for most.
func manifest(language string, src []byte) string {
	if language == "toml" {
		return cargoManifest(src)
	}
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

// cargoManifest is the manifest that a Cargo.toml is, "" for other texts.
func cargoManifest(src []byte) string {
	if len(src) > maxManifest || !bytes.Contains(src, []byte("[package]")) {
		return ""
	}
	var read struct {
		Package struct {
			Name string `toml:"name"`
		} `toml:"package"`
		Lib struct {
			Name string `toml:"name"`
			Path string `toml:"path"`
		} `toml:"lib"`
	}
	if _, err := toml.Decode(string(src), &read); err != nil || read.Package.Name == "" {
		return ""
	}
	name := cmp.Or(read.Lib.Name, read.Package.Name)
	text, err := json.Marshal(Manifest{Name: strings.ReplaceAll(name, "-", "_"), Main: cmp.Or(read.Lib.Path, "src/lib.rs")})
	if err != nil {
		return ""
	}
	return string(text)
}

// goManifest is the manifest that a go.mod is, "" for other texts.
func goManifest(src []byte) string {
	found := goModule.FindAllSubmatch(src[:min(len(src), maxManifest)], 1)
	if len(found) == 0 {
		return ""
	}
	text, err := json.Marshal(Manifest{Name: string(found[0][1])})
	if err != nil {
		return ""
	}
	return string(text)
}

// goModule matches the line of go.mod that names the module, when another one says for which Go it is.
var goModule = lazyregexp.New(`(?m)\A(?:\s*//.*\n|\s*\n)*module[ \t]+"?([\w./~-]+)"?[ \t]*(?://.*)?\r?$(?s:.*)^go[ \t]+\d`)

// looksLikeManifest spares data the work of being read twice.
func looksLikeManifest(src []byte) bool {
	for _, key := range []string{`"compilerOptions"`, `"references"`, `"extends"`, `"psr-4"`} {
		if bytes.Contains(src, []byte(key)) {
			return true
		}
	}
	return bytes.Contains(src, []byte(`"name"`)) && (bytes.Contains(src, []byte(`"version"`)) ||
		bytes.Contains(src, []byte(`"private"`)) || bytes.Contains(src, []byte(`"main"`)) || bytes.Contains(src, []byte(`"exports"`)))
}
