// Package workspace opens what a command works on: the settings, the log, memory, the index and the engine of a project in this
// process, or a connection to the daemon that serves the project already.
//
// What was opened is closed in the reverse order. It prints warnings and progress, and no results.
package workspace
