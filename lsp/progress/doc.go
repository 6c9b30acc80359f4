// Package progress tells a client how far work has come: LSP's work-done progress, and events that must not come
// too often.
//
// It guarantees that what was begun is ended exactly once, even after the work's context is gone, and that the last
// event of a burst is never lost. It never decides what is worth telling, nor to whom.
package progress
