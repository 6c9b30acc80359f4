package codebase

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// linesForm is what ids of other programs end with: lines, one-based and inclusive.
var linesForm = lazyregexp.New(`:([0-9]{1,9})(?:-([0-9]{1,9}))?$`)

// ChunkByID returns the chunk with an id, in any of the forms that chunks are exchanged with: our own, one with
// the lines behind the name, which may have moved since, or one with lines instead of a name, of which the chunk
// around the first line is meant.
//
//	code:auth/login.py:authenticate
//	code:auth/login.py:authenticate:45-89
//	code:auth/login.py:45
func ChunkByID(snap *index.Snapshot, id string) (index.Ref, bool) {
	if ref, ok := snap.ByID(id); ok {
		return ref, true
	}
	lines := linesForm.FindStringSubmatchIndex(id)
	rest, isCode := strings.CutPrefix(id, "code:")
	if lines == nil || !isCode {
		return index.Ref{}, false
	}
	if ref, ok := snap.ByID(id[:lines[0]]); ok {
		return ref, true
	}
	first, err := strconv.Atoi(id[lines[2]:lines[3]])
	if err != nil || first < 1 {
		return index.Ref{}, false
	}
	path := filepath.FromSlash(rest[:lines[0]-len("code:")])
	for _, folder := range snap.Folders() {
		if file, ok := snap.File(filepath.Join(folder, path)); ok && len(file.Chunks) > 0 {
			return index.Ref{File: file, Index: ChunkAtLine(file, first)}, true
		}
	}
	return index.Ref{}, false
}

// namedForm is an id with a path, a name and lines.
var namedForm = lazyregexp.New(`^(code:.+:[^:]+):[0-9]{1,9}-[0-9]{1,9}$`)

// PresentIDs gives to each id of code the one that the index has for it now. What the index does not know loses its lines
// when it has a name, since commands that need memory alone open no index; other ids stay.
func PresentIDs(snap *index.Snapshot, ids []string) []string {
	present := slices.Clone(ids)
	for i, id := range ids {
		if ref, ok := ChunkByID(snap, id); ok {
			present[i] = ref.ID()
		} else if named := namedForm.FindStringSubmatch(id); named != nil {
			present[i] = named[1]
		}
	}
	return present
}
