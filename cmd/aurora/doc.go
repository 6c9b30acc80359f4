// Command aurora (also callable as aur) is AURORA for terminals, and the process that editors start. Its commands are in
// internal/cli.
package main
