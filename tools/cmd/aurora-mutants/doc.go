// Command aurora-mutants changes a package in one place at a time, and tells which changes no test notices: conditions
// that are negated or moved by one, operators that are exchanged, counters that count the other way. The places are drawn at random.
//
// It owns nothing: the changed file is an overlay of the go command, so the work tree stays as it is. A test that runs the built
// program does not see the change.
package main
