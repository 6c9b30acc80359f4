// Package powershell is the tree-sitter grammar of PowerShell, version 0.25.9 of github.com/airbus-cert/tree-sitter-powershell, as it was published to
// npm: parser.c, scanner.c and what they include are unchanged, LICENSE is theirs. The binding does not bring this grammar.
//
// It owns the binding to the grammar, guarantees nothing beyond it, and never parses a text: package syntax does.
package powershell
