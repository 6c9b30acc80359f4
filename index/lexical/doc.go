// Package lexical is the BM25 lane: immutable segments of postings over the fields of chunks, and the search over
// them.
//
// It owns the segment format and the scoring. It guarantees that a Segment never changes, that a search over many
// segments with deletions scores exactly as one over a single fresh segment, and that damaged bytes are refused by
// checksum. It never knows what a document is beyond its number.
package lexical
