package graph

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// ManifestMark is the word by which Source.Importing finds the files that hold a chunk.Manifest.
const ManifestMark = "{manifest}"

// modules finds the files that the modules of JavaScript mean: by path, by the paths of tsconfig.json, and by the
// packages of the workspace, whether they are built or not.
type modules struct {
	graph     *Graph
	manifests map[*File]*chunk.Manifest
	goModules map[string][]*File // go.mod files by folder, the longest name first
	packages  map[string][]*File // package.json files by the folder of the workspace and the name of the package
	crates    crates

	namespaces map[string][]psr4 // of PHP, by the folder of the workspace
}

// resolve returns the files that an import of a file leads to; most lead to one or none.
func (m *modules) resolve(spec string, from *File) []*File {
	spec, _, _ = strings.Cut(spec, "?")
	dir := path.Dir(from.Path)
	switch {
	case spec == "" || strings.Contains(spec, ":"):
		return nil
	case spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../"):
		return one(m.file(from.Folder, path.Join(dir, spec)))
	case strings.HasPrefix(spec, "/"):
		return one(m.file(from.Folder, strings.TrimPrefix(spec, "/")))
	case strings.HasPrefix(spec, "#"):
		if f := m.internal(spec, from.Folder, dir); f != nil {
			return []*File{f}
		}
	}
	if f := m.byConfig(spec, from.Folder, dir); f != nil {
		return []*File{f}
	}
	return m.byPackage(spec, from.Folder)
}

func one(f *File) []*File {
	if f == nil {
		return nil
	}
	return []*File{f}
}

// at returns a file of the workspace.
func (m *modules) at(folder, p string) *File {
	if f, ok := m.graph.src.FileAt(folder, p); ok && len(f.Chunks) > 0 {
		return f
	}
	return nil
}

// file returns the source that a path without a sure extension means: itself, the source that compiles to it, or the
// index of the folder.
func (m *modules) file(folder, p string) *File {
	if path.Ext(p) != "" {
		if f := m.at(folder, p); f != nil && Family(f.Language) == "javascript" {
			return f
		}
	}
	for _, base := range []string{p, withoutExtension(p), p + "/index"} {
		for _, ext := range scriptExtensions {
			if f := m.at(folder, base+ext); f != nil {
				return f
			}
		}
	}
	if f := m.at(folder, path.Join(p, "package.json")); m.manifest(f) != nil {
		return m.exported(f, ".")
	}
	return nil
}

// manifest returns what a file says about modules, nil when it isn't there or says nothing.
func (m *modules) manifest(f *File) *chunk.Manifest {
	if f == nil || f.Manifest == "" {
		return nil
	}
	if known, ok := m.manifests[f]; ok {
		return known
	}
	var read chunk.Manifest
	if json.Unmarshal([]byte(f.Manifest), &read) != nil {
		return nil
	}
	m.manifests[f] = &read
	return &read
}

// above yields a folder and those around it, up to the folder of the workspace.
func above(dir string, yield func(dir string) bool) {
	for ; yield(dir) && dir != "."; dir = path.Dir(dir) {
	}
}

// internal resolves "#name" by the "imports" of the package around a folder.
func (m *modules) internal(spec, folder, dir string) (found *File) {
	above(dir, func(dir string) bool {
		own := m.manifest(m.at(folder, path.Join(dir, "package.json")))
		if own == nil || own.Imports == nil {
			return true
		}
		for _, target := range targets(own.Imports, spec, m.conditions(folder, dir)) {
			if found = m.source(folder, dir, target); found != nil {
				break
			}
		}
		return false
	})
	return found
}

// byConfig resolves a name by the "paths" and the "baseUrl" of the nearest configuration that knows it.
func (m *modules) byConfig(spec, folder, dir string) (found *File) {
	above(dir, func(dir string) bool {
		for _, name := range []string{"tsconfig.json", "jsconfig.json"} {
			if found = m.byConfigFile(spec, m.at(folder, path.Join(dir, name)), 0); found != nil {
				return false
			}
		}
		return true
	})
	return found
}

// maxExtends bounds how far the configurations are followed that one extends or refers to.
const maxExtends = 8

func (m *modules) byConfigFile(spec string, config *File, depth int) *File {
	c := m.manifest(config)
	if c == nil || depth > maxExtends {
		return nil
	}
	dir := path.Dir(config.Path)
	if o := c.Compiler; o != nil {
		base := path.Join(dir, o.BaseURL)
		for _, target := range matchPaths(o.Paths, spec) {
			if f := m.file(config.Folder, path.Join(base, target)); f != nil {
				return f
			}
		}
		if o.BaseURL != "" {
			if f := m.file(config.Folder, path.Join(base, spec)); f != nil {
				return f
			}
		}
	}
	for _, next := range append(m.extended(c, config), m.referred(c, config)...) {
		if f := m.byConfigFile(spec, next, depth+1); f != nil {
			return f
		}
	}
	return nil
}

// extended returns the configurations that one extends, the last first, which wins.
func (m *modules) extended(c *chunk.Manifest, config *File) []*File {
	var names []string
	if json.Unmarshal(c.Extends, &names) != nil {
		var name string
		_ = json.Unmarshal(c.Extends, &name)
		names = []string{name}
	}
	slices.Reverse(names)
	var files []*File
	for _, name := range names {
		if !strings.HasPrefix(name, ".") {
			files = append(files, m.configOfPackage(name, config.Folder)...)
			continue
		}
		files = append(files, m.config(config.Folder, path.Join(path.Dir(config.Path), name)))
	}
	return files
}

// configOfPackage returns the configuration that a package of the workspace offers.
func (m *modules) configOfPackage(name, folder string) []*File {
	var files []*File
	for _, p := range m.packagesOf(folder, packageName(name)) {
		rest := strings.TrimPrefix(name[len(packageName(name)):], "/")
		files = append(files, m.config(folder, path.Join(path.Dir(p.Path), rest)))
	}
	return files
}

// referred returns the configurations that a solution consists of. One that says what it compiles is none.
func (m *modules) referred(c *chunk.Manifest, config *File) []*File {
	var files []*File
	for _, r := range c.References {
		if f := m.config(config.Folder, path.Join(path.Dir(config.Path), r.Path)); f != nil && sameFolder(f, config) {
			files = append(files, f)
		}
	}
	return files
}

// config returns a configuration by its path, with or without its extension, or by its folder.
func (m *modules) config(folder, p string) *File {
	for _, p := range []string{p, p + ".json", path.Join(p, "tsconfig.json")} {
		if f := m.at(folder, p); f != nil && f.Manifest != "" {
			return f
		}
	}
	return nil
}

// matchPaths returns the targets of the longest pattern of "paths" that a name fits.
func matchPaths(paths map[string][]string, spec string) []string {
	best, star := "", ""
	for pattern := range paths {
		if s, ok := matchStar(pattern, spec); ok && (best == "" || pattern == spec || best != spec && len(pattern) > len(best)) {
			best, star = pattern, s
		}
	}
	var out []string
	for _, target := range paths[best] {
		out = append(out, strings.Replace(target, "*", star, 1))
	}
	return out
}

// matchStar reports whether a name fits a pattern with at most one "*", and what that stands for.
func matchStar(pattern, name string) (star string, ok bool) {
	before, after, found := strings.Cut(pattern, "*")
	if !found {
		return "", pattern == name
	}
	if len(name) < len(before)+len(after) || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) {
		return "", false
	}
	return name[len(before) : len(name)-len(after)], true
}

// byPackage resolves "name" and "name/sub" when a package.json of the workspace has that name.
func (m *modules) byPackage(spec, folder string) []*File {
	name := packageName(spec)
	sub := "." + spec[len(name):]
	for _, p := range m.packagesOf(folder, name) {
		if f := m.exported(p, sub); f != nil {
			return []*File{f}
		}
	}
	return nil
}

// packageName is the part of an import that names the package: "a" of "a/b", "@a/b" of "@a/b/c".
func packageName(spec string) string {
	parts := strings.SplitN(spec, "/", 3)
	if strings.HasPrefix(spec, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// packagesOf returns the package.json files of a name, the outer ones first.
func (m *modules) packagesOf(folder, name string) []*File {
	if m.packages == nil {
		m.packages = map[string][]*File{}
		files := m.graph.src.Importing(ManifestMark)
		slices.SortFunc(files, func(a, b *File) int {
			return cmp.Or(strings.Count(a.Path, "/")-strings.Count(b.Path, "/"), strings.Compare(a.Path, b.Path))
		})
		for _, f := range files {
			if own := m.manifest(f); own != nil && own.Name != "" && path.Base(f.Path) == "package.json" {
				key := f.Folder + "\x00" + own.Name
				m.packages[key] = append(m.packages[key], f)
			}
		}
	}
	return m.packages[folder+"\x00"+name]
}

// goFolder returns the folder of the package that an import of Go means, by the go.mod files of the workspace. known is false
// when there is none.
func (m *modules) goFolder(imported string, from *File) (dir string, found, known bool) {
	if m.goModules == nil {
		m.goModules = map[string][]*File{}
		for _, f := range m.graph.src.Importing(ManifestMark) {
			if path.Base(f.Path) == "go.mod" && m.manifest(f) != nil {
				m.goModules[f.Folder] = append(m.goModules[f.Folder], f)
			}
		}
		for _, list := range m.goModules {
			slices.SortFunc(list, func(a, b *File) int {
				return cmp.Or(len(m.manifest(b).Name)-len(m.manifest(a).Name), strings.Compare(a.Path, b.Path))
			})
		}
	}
	list := m.goModules[from.Folder]
	for _, f := range list {
		if rest, ok := strings.CutPrefix(imported+"/", m.manifest(f).Name+"/"); ok {
			return path.Join(path.Dir(f.Path), rest), true, true
		}
	}
	return "", false, len(list) > 0
}

// goFiles are the files of the package in a folder.
func (m *modules) goFiles(folder, dir string) []*File {
	word := path.Base(dir)
	if dir == "." {
		word = "go"
	}
	return slices.DeleteFunc(m.graph.src.FilesLike(word), func(f *File) bool {
		return f.Language != "go" || f.Folder != folder || path.Dir(f.Path) != dir || len(f.Chunks) == 0
	})
}

// packageAround returns the name of the package that a file belongs to, "" without one.
func (m *modules) packageAround(f *File) (name string) {
	if Family(f.Language) != "javascript" {
		return ""
	}
	above(path.Dir(f.Path), func(dir string) bool {
		if own := m.manifest(m.at(f.Folder, path.Join(dir, "package.json"))); own != nil {
			name = own.Name
		}
		return name == ""
	})
	return name
}

// exported returns the source of what a package exports as "." or "./sub".
func (m *modules) exported(manifest *File, sub string) *File {
	own, dir := m.manifest(manifest), path.Dir(manifest.Path)
	for _, target := range targets(own.Exports, sub, m.conditions(manifest.Folder, dir)) {
		if f := m.source(manifest.Folder, dir, target); f != nil {
			return f
		}
	}
	if sub != "." {
		return m.source(manifest.Folder, dir, sub)
	}
	for _, target := range []string{own.Source, own.Types, own.Typings, own.Module, own.Main, "index"} {
		if target == "" {
			continue
		}
		if f := m.source(manifest.Folder, dir, target); f != nil {
			return f
		}
	}
	return nil
}

// builtFolders are where builds put what they make of a source folder, and what they call its kinds.
var builtFolders = map[string]bool{
	"dist": true, "build": true, "lib": true, "out": true, "esm": true, "cjs": true, "es": true, "modern": true, "legacy": true, "types": true,
}

// source returns the source of a file of a package: the file itself or, where only a build makes it, what the build made
// it of: src/a.ts or a.ts of dist/a.js, or src/index.ts of dist/name.js.
func (m *modules) source(folder, dir, target string) *File {
	target = strings.TrimPrefix(path.Clean(target), "./")
	if f := m.file(folder, path.Join(dir, target)); f != nil {
		return f
	}
	parts := strings.Split(target, "/")
	built := len(parts)
	for len(parts) > 1 && builtFolders[parts[0]] {
		parts = parts[1:]
	}
	rest := path.Join(parts...)
	for _, p := range []string{path.Join("src", rest), rest} {
		if f := m.file(folder, path.Join(dir, p)); f != nil {
			return f
		}
	}
	if len(parts) == 1 && built > 1 {
		return m.file(folder, path.Join(dir, "src", "index"))
	}
	return nil
}

// conditions are those that the nearest configuration adds to the usual ones.
func (m *modules) conditions(folder, dir string) (added []string) {
	above(dir, func(dir string) bool {
		if c := m.manifest(m.at(folder, path.Join(dir, "tsconfig.json"))); c != nil && c.Compiler != nil {
			added = c.Compiler.CustomConditions
		}
		return len(added) == 0
	})
	return added
}

// targets returns the files that a map of exports or imports names for a key, the most wanted first.
func targets(raw json.RawMessage, key string, conditions []string) []string {
	if raw == nil {
		return nil
	}
	var byKey map[string]json.RawMessage
	if json.Unmarshal(raw, &byKey) != nil || !slices.ContainsFunc(keysOf(byKey), isSubpath) {
		if key != "." {
			return nil
		}
		return flatten(raw, conditions)
	}
	best, star := "", ""
	for pattern := range byKey {
		if s, ok := matchStar(pattern, key); ok && (best == "" || pattern == key || best != key && len(pattern) > len(best)) {
			best, star = pattern, s
		}
	}
	var out []string
	for _, target := range flatten(byKey[best], conditions) {
		out = append(out, strings.ReplaceAll(target, "*", star))
	}
	return out
}

func isSubpath(key string) bool { return strings.HasPrefix(key, ".") || strings.HasPrefix(key, "#") }

func keysOf(m map[string]json.RawMessage) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// flatten returns all files of one target: those of the added conditions first, then of the usual ones.
func flatten(raw json.RawMessage, conditions []string) []string {
	var file string
	if json.Unmarshal(raw, &file) == nil {
		return []string{file}
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		var out []string
		for _, r := range list {
			out = append(out, flatten(r, conditions)...)
		}
		return out
	}
	var byCondition map[string]json.RawMessage
	if json.Unmarshal(raw, &byCondition) != nil {
		return nil
	}
	var out []string
	order := append(slices.Clone(conditions), "source", "development", "types", "import", "module", "default", "require", "node")
	for _, condition := range append(order, keysOf(byCondition)...) {
		if r, ok := byCondition[condition]; ok {
			out = append(out, flatten(r, conditions)...)
			delete(byCondition, condition)
		}
	}
	return out
}
