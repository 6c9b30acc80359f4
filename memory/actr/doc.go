// Package actr is the mathematics of ACT-R's declarative memory, as pure functions of times and weights.
//
// It owns base-level learning and its approximation for long histories, spreading activation, the boost by context,
// decay, the probability and time of recall, and the clock of activity time. It guarantees finite results for every
// history with at least one use, whatever the clock did. It never reads a clock or a store.
package actr
