// Package haskell is the tree-sitter grammar of Haskell, version 0.23.1 of github.com/tree-sitter/tree-sitter-haskell, as it was published to npm: parser.c
// and what it includes are generated and unchanged, LICENSE is theirs. The binding does not bring this grammar.
//
// It owns the binding to the grammar, guarantees nothing beyond it, and never parses a text: package syntax does.
package haskell
