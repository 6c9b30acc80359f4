// Package background runs work of the engine that nobody waits for, one round at a time.
//
// It guarantees that Close ends the round that runs and waits for it. What a round does is its owner's.
package background
