// Package dart is the tree-sitter grammar of Dart, version 1.0.0 of github.com/UserNobody14/tree-sitter-dart, as it was published to npm: parser.c
// and what it includes are generated and unchanged, LICENSE is theirs. The binding does not bring this grammar.
//
// It owns the binding to the grammar, guarantees nothing beyond it, and never parses a text: package syntax does.
package dart
