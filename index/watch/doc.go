// Package watch tells which files changed, in batches, whatever program changed them.
//
// It owns the recursion over fsnotify, which watches single folders, the noise of editors (backup, swap and probe
// files), and the gathering of events: a save, a checkout of thousands of files or a build that never pauses each
// become few batches. It guarantees that events are drained at once however slow the reader is, that a folder which
// appears is watched before it is listed, so that nothing in it is missed, that a folder which moves away takes its
// watches along, that a lost event is answered by a request to look at everything, and that Close waits for every
// goroutine. It never reads a file, never decides what is indexed, and never polls: at the limit of the system it says
// so (ModeLimited) and leaves looking at the rest to its owner.
package watch
