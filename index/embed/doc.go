// Package embed turns texts into vectors whose angles tell how much their meanings have in common.
//
// It owns the form and the identity of vectors, and Static, a bag of sub-tokens with one learned row each, trained by
// tools/cmd/aurora-train and part of the binary. docs/embeddings.md says how it was made and what it is worth.
//
// It guarantees that a Static gives the same bytes for the same text on every machine: all of it is integer arithmetic.
// Damaged model bytes are refused by checksum, but for those in the binary, which a test checks. The package never reads
// files, never uses the network, and never compares vectors: that is package vector's.
//
// # Table format, version 1
//
// A model is a table from a token to a row of small integers with a scale. Integers are little-endian.
//
//	header   magic "AUREMB\r\n", u32 version, u32 CRC-32C of all bytes after this one, u32 rows, u32 dimensions
//	hashes   u64 per row, strictly ascending: 64-bit FNV-1a of the token
//	scales   u16 per row
//	rows     i8 per row and dimension; the row of a token is scale · row, in a unit that all rows share
package embed
