// Package sentence runs a small sentence transformer (BERT with mean pooling, as all-MiniLM-L6-v2 is) in plain Go.
//
// It owns the form of the model's bytes, the subwords that texts are cut into, and the model in the binary. It guarantees that a
// text has the same subwords as in the Python library, if the model has them. Products of matrices are of integers and the same
// on every machine; the rest is floating point, so that vectors of two machines may differ by a rounding. Damaged bytes are refused
// by checksum, but for those in the binary, which a test checks. The package never reads files and never uses the network.
//
// A text of 128 subwords, the most that count, costs a tenth of a second of one core, a question of 17 a hundredth
// (BenchmarkVector). What loops over numbers is left out by the race detector, which would make it fifty times as slow; it shares nothing.
//
// # Format, version 1
//
// Numbers are little-endian. A matrix is a float32 scale for each row, then its int8 values, row by row; a vector is float32.
//
//	header      magic "AURSEN\r\n", u32 version, u32 CRC-32C of all bytes after this one,
//	            u32 subwords, width, layers, heads, inner width, positions, bytes of the next part
//	subwords      the subwords, one a line; the first two begin and end a text, the third stands for what has no subword
//	embeddings  matrix of subwords, matrix of positions, normalisation (two vectors: weight, bias)
//	layers      matrix and vector for queries, keys, values and output of the attention, normalisation, matrix and
//	            vector inwards and outwards, normalisation
package sentence
