package graph

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// A psr4 is a folder with the classes of a namespace of PHP, as a composer.json says.
type psr4 struct {
	namespace string // with a backslash at the end, "" for all
	dir       string // relative to the folder of the workspace
}

// autoloaded returns the files of a class of PHP, by what the composer.json files of the workspace say; most are one or none.
func (m *modules) autoloaded(class string, from *File) []*File {
	class = strings.TrimPrefix(class, `\`)
	var found []*File
	for _, p := range m.autoloads(from.Folder) {
		rest, ok := strings.CutPrefix(class, p.namespace)
		if !ok || rest == "" || len(found) > 0 && p.namespace == "" {
			continue
		}
		if f := m.at(from.Folder, path.Join(p.dir, strings.ReplaceAll(rest, `\`, "/")+".php")); f != nil && !slices.Contains(found, f) {
			found = append(found, f)
		}
	}
	return found
}

// autoloads are what the composer.json files of a folder of the workspace say, the longest namespaces first.
func (m *modules) autoloads(folder string) []psr4 {
	if m.namespaces == nil {
		m.namespaces = map[string][]psr4{}
		for _, f := range m.graph.src.Importing(ManifestMark) {
			if own := m.manifest(f); own != nil && path.Base(f.Path) == "composer.json" {
				for _, a := range []*chunk.Autoload{own.Autoload, own.AutoloadDev} {
					m.namespaces[f.Folder] = append(m.namespaces[f.Folder], foldersOf(a, path.Dir(f.Path))...)
				}
			}
		}
		for _, list := range m.namespaces {
			slices.SortFunc(list, func(a, b psr4) int {
				return cmp.Or(len(b.namespace)-len(a.namespace), strings.Compare(a.namespace, b.namespace), strings.Compare(a.dir, b.dir))
			})
		}
	}
	return m.namespaces[folder]
}

// foldersOf reads what a composer.json in a folder says.
func foldersOf(a *chunk.Autoload, dir string) []psr4 {
	if a == nil {
		return nil
	}
	var found []psr4
	for namespace, raw := range a.PSR4 {
		for _, to := range flatten(raw, nil) {
			found = append(found, psr4{namespace, path.Join(dir, to)})
		}
	}
	return found
}

// classesOf are the classes that an import of PHP may mean, by their whole names.
func classesOf(imp chunk.Import) []string {
	classes := []string{imp.Path}
	if imp.Name != "" && imp.Of == "" {
		classes = append(classes, imp.Path+`\`+imp.Name) // of a list
	}
	return classes
}
