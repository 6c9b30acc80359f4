// Package indexing keeps the index up to date for those who ask: it refreshes files, rebuilds the index, and takes texts from
// doors without an editor.
//
// It owns what such doors gave, which counts until they take it back. A rebuild must be confirmed and never touches memory; searches go
// on meanwhile. How files are indexed is package index's.
package indexing
