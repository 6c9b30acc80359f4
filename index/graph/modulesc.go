package graph

import (
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// included is the file that an include of C means by the folders in which its compiler looks, nil when those do not have it. known
// is false where they are not known, or where a name in quotes may be that of a file which only a build makes.
func (m *modules) included(imp chunk.Import, from *File) (found *File, known bool) {
	name := strings.Trim(imp.Path, `<>"`)
	quoted, all := m.graph.src.IncludeFolders(from.Folder, from.Path)
	if name == "" || path.IsAbs(name) || len(quoted)+len(all) == 0 {
		return nil, false
	}
	isSystem := strings.HasPrefix(imp.Path, "<")
	if !isSystem {
		all = slices.Concat([]string{path.Dir(from.Path)}, quoted, all)
	}
	for _, dir := range all {
		if f := m.at(from.Folder, path.Join(dir, name)); f != nil && Family(f.Language) == "c" {
			return f, true
		}
	}
	return nil, isSystem
}

// onlyIncluded leaves, of the files that fit an include, the one that the compiler finds and the sources that may hold what it
// declares: those that share the most folders with it.
func onlyIncluded(list []fileMatch, found *File) []fileMatch {
	most := 0
	for _, m := range list {
		if !isHeader(m.file.Path) {
			most = max(most, sharedFolders(m.file.Path, found.Path))
		}
	}
	list = slices.DeleteFunc(list, func(m fileMatch) bool {
		return m.file == found || isHeader(m.file.Path) || sharedFolders(m.file.Path, found.Path) < most
	})
	return append(list, fileMatch{found, exactMatch})
}

// isHeader reports whether a file of C is one that others include.
func isHeader(file string) bool {
	return strings.HasPrefix(strings.ToLower(path.Ext(file)), ".h") || path.Ext(file) == ".inc" || path.Ext(file) == ".inl"
}
