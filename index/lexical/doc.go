// Package lexical is the BM25 retriever: immutable segments of postings over the fields of chunks, and the search over
// them.
//
// It owns the segment format and the scoring. It guarantees that a Segment never changes, that a search over many
// segments with deletions scores exactly as one over a single fresh segment, and that damaged bytes are refused by
// checksum and can never make it panic. It never reads files, and never knows what a document is beyond its number.
//
// # Segment format, version 1
//
// One flat buffer without pointers, so that it can be memory-mapped. Integers are little-endian; "varint" is
// encoding/binary's unsigned one.
//
//	header    magic "AURLEX\r\n", u32 version, u32 CRC-32C of all bytes after this one,
//	          u32 documents, u32 scored fields, then for words and for calls:
//	          u64 terms, u64 bytes of index, u64 bytes of blocks, u64 bytes of postings
//	lengths   per document and scored field: u32 tokens
//	words     index, blocks, postings of the terms of the scored fields
//	calls     the same for the names in the Calls field
//
//	index     per block: u64 offset into blocks
//	block     varint offset of its first term's postings, then up to 16 terms in byte order, each:
//	          varint bytes shared with the term before it in the block, varint bytes that follow, those bytes,
//	          varint documents, varint bytes of postings
//	postings  per document in ascending order: varint distance to the document before it (the first counts from
//	          -1), then a mask byte: bit f says that the term occurs in field f; the upper three bits hold the
//	          frequency when it is 1 to 7 and the same in every such field, else 0 and one varint per field follows
package lexical
