// Package testcommand knows the command lines that run tests.
//
// It owns how a test, the tests of a file and those of a package are named to the programs that run them: go test, pytest, cargo test and
// npm test. It names only what a shell takes as it is, and never runs anything.
package testcommand
