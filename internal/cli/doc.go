// Package cli is the command line of AURORA: the tree of all commands, and how one run of it ends.
//
// The commands themselves live in a package for each group (search, ask, memory, index, agents, serve, admin, uninstall). They own
// flags and printing; every answer comes from the engine, in this process or in the daemon of the project (package workspace).
// Results go to stdout and everything else to stderr; --json prints only JSON; the exit code says what happened (package app).
package cli
