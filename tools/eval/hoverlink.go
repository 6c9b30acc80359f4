package eval

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// linkPackages writes node_modules with what an installation and a build of a monorepo would put there of its own packages: for
// each package.json with a name and a src/index.ts, a module that exports all of that, and one for each further file that it
// exports. What is there already stays as it is. A language server follows a name through these to its source.
func linkPackages(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.Name() == "package.json" && filepath.Dir(path) != dir:
			return linkPackage(dir, path)
		}
		return nil
	})
}

// linkPackage does it for one package.
func linkPackage(dir, manifest string) error {
	text, err := os.ReadFile(manifest)
	if err != nil {
		return err
	}
	var own struct {
		Name    string
		Exports map[string]json.RawMessage
	}
	if json.Unmarshal(text, &own) != nil || own.Name == "" || !filepath.IsLocal(own.Name) {
		return nil // exports without parts are one string: the name is known all the same
	}
	subpaths := []string{"."}
	for key := range own.Exports {
		if strings.HasPrefix(key, "./") && !strings.Contains(key, "*") && filepath.Ext(key) == "" {
			subpaths = append(subpaths, key)
		}
	}
	to := filepath.Join(dir, "node_modules", filepath.FromSlash(own.Name))
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	for _, sub := range subpaths {
		if err := linkModule(to, filepath.Join(filepath.Dir(manifest), "src"), sub); err != nil {
			return fmt.Errorf("link %s: %w", own.Name, err)
		}
	}
	return nil
}

// linkModule writes one module that exports all of a source file.
func linkModule(to, src, sub string) error {
	for _, source := range []string{filepath.Join(src, sub), filepath.Join(src, sub, "index")} {
		for _, ext := range []string{".ts", ".tsx"} {
			if _, err := os.Stat(source + ext); err != nil || sub == "." && filepath.Base(source) != "index" {
				continue
			}
			module := filepath.Join(to, sub, "index.ts")
			if err := os.MkdirAll(filepath.Dir(module), 0o755); err != nil {
				return err
			}
			return os.WriteFile(module, fmt.Appendf(nil, "export * from %q\nexport { default } from %q\n", source, source), 0o644)
		}
	}
	return nil
}

// isLink reports whether a file is one that linkModule wrote: no definition, though a path leads to it.
func isLink(path string) bool {
	if !strings.Contains(path, "/node_modules/") || filepath.Base(path) != "index.ts" {
		return false
	}
	text, err := os.ReadFile(path)
	return err == nil && strings.HasPrefix(string(text), "export * from \"/") && strings.Count(string(text), "\n") == 2
}
