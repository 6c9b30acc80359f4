// Package debugpage shows a process from the inside, to anyone who sits at the machine: its index, its queue and jobs, the
// phases of the latest questions, its counters for a Prometheus, and Go's profiles.
//
// It guarantees that it shows figures, names of files and states, never the text of a file, a question or an answer, and
// that looking changes nothing. It is served on loopback only, see package loopback.
package debugpage
