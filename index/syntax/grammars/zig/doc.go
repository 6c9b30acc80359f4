// Package zig is the tree-sitter grammar of Zig, version 1.1.2 of github.com/tree-sitter-grammars/tree-sitter-zig, as it was published to npm: parser.c
// and what it includes are generated and unchanged, LICENSE is theirs. The binding does not bring this grammar.
//
// It owns the binding to the grammar, guarantees nothing beyond it, and never parses a text: package syntax does.
package zig
