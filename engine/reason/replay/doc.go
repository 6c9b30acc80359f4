// Package replay has what is known of a question that was reasoned about: enough to look at how it went, and to run its
// phases again without asking anybody. The journal keeps it.
//
// It owns the form in which that is kept. It never runs a phase, and decides nothing.
package replay
