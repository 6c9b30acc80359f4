// Package soar owns the nine phases of a query: their names, their order, the account of how each went, and the
// keyword classifier of the first one.
//
// It guarantees that every query accounts for all nine phases, each once, with its time or the reason for which it
// was skipped. It never reads code, memory or the network: what a phase does is given to it.
package soar
