// Package snapshot holds the workspace at one moment, and finds things in it: by words (BM25), by vectors, by name, by place,
// by what calls what.
//
// It owns the immutable Snapshot, the Builder that derives the next one from it, and the file in which a snapshot is saved
// (encode.go has the layout). It guarantees that a published snapshot never changes, that scores do not depend on how documents
// are spread over parts, and that a saved file that is cut, foreign, of another version or has a flipped bit is refused. It
// never reads the workspace, starts no goroutine that outlives a call, and knows nothing of folders' rules.
package snapshot
