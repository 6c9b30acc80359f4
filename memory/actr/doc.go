// Package actr is the mathematics of ACT-R's declarative memory, as pure functions of times and weights.
//
// It owns the base-level learning equation and its approximation for long histories. It guarantees finite results
// for every history with at least one use, whatever the clock did. It never reads a clock or a store.
package actr
