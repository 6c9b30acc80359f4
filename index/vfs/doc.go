// Package vfs is the disk side of the workspace: which folders and files are indexed, and what they hold.
//
// It owns which folders may be a workspace, which files below them are indexed and by which rule, how the tree is
// listed, and how a file is read. It guarantees that no path leads out of its folder after
// symbolic links, that secrets never reach a reader, that every refusal has a reason in words, that a listing has the
// same order every time, and that a file which changes, vanishes or never ends while it is read does no harm. Where links
// are followed at all, what they lead to counts by its real path, inside the watch paths. It never writes, never parses,
// and never knows what an index is.
package vfs
