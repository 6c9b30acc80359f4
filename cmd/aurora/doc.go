// Command aurora (also callable as aur) is AURORA's door for terminals and the process that editors start.
//
// It owns flags, one file per subcommand, and the wiring of index, memory and engine. It guarantees that results go
// to stdout and everything else to stderr, that --json prints only JSON, and that the exit code says what happened
// (exit.go). It holds no feature: every answer comes from the engine.
package main
