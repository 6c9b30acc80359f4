// Package fault holds the error that the parts of the engine return, with a machine-readable kind and what to do about it,
// and the checks that several operations share.
//
// It owns the kinds, which the doors map to codes of their own. It guarantees that cancellation stays what it is. It
// never logs, and knows no part of the engine.
package fault
