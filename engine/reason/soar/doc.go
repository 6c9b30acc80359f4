// Package soar owns the nine phases of a query: their names, their order and the account of how each went; the keyword
// classifier; and, with a model, what each phase does, one file for each over one explicit State.
//
// It guarantees that every query accounts for all its phases, each once, with its time or the reason for which it was
// skipped; that work in which code found something wrong never passes, whatever a model says of it; that scores are
// computed here; and that nothing is recorded before the phase that records. It never reads code, memory or the network
// itself: snippets, models and memory are ports that it is given.
package soar
