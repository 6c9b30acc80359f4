// Package show prints what the engine found: hits with their code, as a list, a table or boxes, phases of a query, and both as JSON.
//
// It only formats; it asks nothing and opens nothing.
package show
