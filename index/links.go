package index

import (
	"path"
	"strings"

	"github.com/aurora-sidecar/aurora/index/chunk"
)

// What a chunk refers to is filed in the segment's list of whole names: what it calls under the name itself; what a
// type inherits from and what a file imports under names that no call can have.
const (
	supertypeMark = "<:"
	importMark    = "<-"
)

// references are the names under which the i-th chunk of a file is found by those it refers to. The first chunk of a
// file stands for its imports.
func references(f *File, i int) [][]byte {
	c := &f.Chunks[i]
	var names [][]byte
	last := ""
	for _, call := range c.Calls {
		if call.Name != last {
			names = append(names, []byte(call.Name))
			last = call.Name
		}
	}
	for _, h := range f.Inherits {
		if h.Chunk == i {
			names = append(names, []byte(supertypeMark+h.Supertype))
		}
	}
	if i == 0 {
		for _, imp := range f.Imports {
			for _, key := range importKeys(imp) {
				names = append(names, []byte(importMark+key))
			}
		}
	}
	return names
}

// importKeys are the words by which an import is found from the file that it means: the last elements of its path
// without an extension, and the name, which may be a module of its own.
func importKeys(imp chunk.Import) []string {
	parts := strings.FieldsFunc(imp.Path, func(r rune) bool { return strings.ContainsRune(`/.\:<>"' `, r) })
	var keys []string
	for _, p := range parts[max(0, len(parts)-2):] {
		keys = append(keys, p)
	}
	if imp.Name != "" && imp.Name != "*" && imp.Name != "_" {
		keys = append(keys, imp.Name)
	}
	if len(keys) == 0 {
		keys = append(keys, path.Base(imp.Path))
	}
	return keys
}
