// Package usage counts what the engine does: for the counters of the process, for the status, and for the figures that
// reports are made of.
//
// It guarantees that nothing waits for it or fails by it: figures are gathered in memory and written together, so that a
// process that is killed loses at most two seconds of them. Those of questions are written with the journal, not here.
package usage
