package codebase

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/fault"
	"github.com/aurora-sidecar/aurora/index"
)

// IndexNotes says what the snapshot of the workspace lacks.
func IndexNotes(x *index.Index, snap *index.Snapshot) []string {
	var notes []string
	if state := snap.State(); state == index.Starting || state == index.Indexing {
		st := x.Status()
		notes = append(notes, fmt.Sprintf("the workspace is still being indexed (%d of %d files)", st.Indexed, st.Total))
	}
	if pending := snap.Pending(); len(pending) > 0 {
		shown := pending[:min(3, len(pending))]
		more := ""
		if len(pending) > len(shown) {
			more = fmt.Sprintf(" and %d more", len(pending)-len(shown))
		}
		notes = append(notes, "not up to date yet: "+strings.Join(shown, ", ")+more)
	}
	return notes
}

// NotIndexed is the error for a document that the engine can't read, with the rule that says why.
func NotIndexed(x *index.Index, path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return &fault.Error{Kind: fault.NotIndexed, Message: "there is no " + path, Remedy: "Check the spelling, and the folder that the path begins in."}
	}
	return &fault.Error{
		Kind: fault.NotIndexed, Message: path + " is not indexed", Detail: x.Explain(path).Rule,
		Remedy: "Open the file, or add its folder to the workspace.",
	}
}

func StateOf(snap *index.Snapshot) IndexState {
	files, chunks := snap.Counts()
	return IndexState{State: snap.State(), Files: files, Chunks: chunks, Snapshot: snap.Number(), Pending: snap.Pending(), Embedder: snap.Embedder()}
}

// IndexState says which snapshot of the workspace an answer was taken from.
type IndexState struct {
	State    index.State
	Files    int
	Chunks   int
	Snapshot uint64
	Pending  []string
	Embedder string
}

// Scanned reports whether the snapshot is the whole workspace: of a part of it only a part would be collected.
func Scanned(snap *index.Snapshot) bool {
	return snap.State() == index.Ready || snap.State() == index.Degraded
}
