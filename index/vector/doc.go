// Package vector is the semantic retriever: immutable segments of vectors beside the lexical segments, and the search for the
// vectors that point most in the direction of a query.
//
// It owns the segment format and the scoring. It guarantees that a Segment never changes; that a score depends on the two
// vectors only, bit for bit on every machine; that vectors of different spaces are never compared; and that damaged bytes are refused by
// checksum and can never make it panic. It never reads files, never makes vectors, and never knows what a document is
// beyond its number.
//
// A search compares signs first: one bit for each dimension, a few hundred million comparisons a second. The documents
// with the fewest differing signs are then scored exactly. Query.Exact scores all of them.
//
// # Segment format, version 1
//
// One flat buffer without pointers, so that it can be memory-mapped. Integers are little-endian.
//
//	header   magic "AURVEC\r\n", u32 version, u32 CRC-32C of all bytes after this one,
//	         u32 documents, u32 dimensions, u32 bytes of the space, the space, zeros up to a multiple of 8
//	signs    per document: as many u64 as the dimensions need; bit d says that entry d is above 0
//	norms    per document: u32 sum of the squared entries, 0 for a document without a vector
//	vectors  per document and dimension: i8
package vector
