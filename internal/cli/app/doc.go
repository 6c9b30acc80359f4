// Package app is what all commands share: streams, terminal, flags of every command, help, output, and exit codes.
//
// It guarantees that the same mistake ends with the same exit code, and that nothing but results is written to stdout. It knows no
// command and opens nothing of a project.
package app
