// Package client talks to the context engine over HTTP, for programs that orchestrate agents.
//
// It owns the shapes of requests and results, and guarantees that a call ends within its time, that only what failed for
// want of a connection or of room is tried again, and that no answer is larger than it may be. It imports nothing of the
// engine.
package client
