// Package obs is how AURORA is watched: its log, its latencies, its counters.
//
// It guarantees that nothing is ever written to standard output, which belongs to the protocol, that no secret
// reaches a log, and that trouble with the log file is no trouble for the caller. It never decides what is worth
// logging.
package obs
