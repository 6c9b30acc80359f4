// Package fit trains the rows of the embedding model on pairs, by contrast with the other pairs of a batch.
//
// It guarantees that the same pairs, settings and kind of processor give the same rows, whatever the number of workers:
// every sum is taken in an order of its own. docs/embeddings.md has the method and its figures.
package fit
