// Package semantic compares queries, chunks and memory records by what they mean, as vectors: by those of the model in the
// program, or of an endpoint when the settings name one.
//
// It owns the vectors of the endpoint and of records, which are derived and can be made again at any time. A failing endpoint
// is left alone for a while, and the model in the program answers instead. It never ranks.
package semantic
