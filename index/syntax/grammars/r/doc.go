// Package r is the tree-sitter grammar of R, version 1.3.0 of github.com/r-lib/tree-sitter-r, as it was published to npm: parser.c
// and what it includes are generated and unchanged, LICENSE is theirs. The binding does not bring this grammar.
//
// It owns the binding to the grammar, guarantees nothing beyond it, and never parses a text: package syntax does.
package r
