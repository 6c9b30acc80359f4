// Package syntax knows the grammars. It turns a text into an Outline: its definitions, calls, imports and the
// blocks that must stay whole, as plain data.
//
// It owns tree-sitter: every grammar, parser and tree, and it is the only package that imports the binding. A
// language is data, one entry in the table of languages.go and its queries under queries/, whose capture names are
// listed in roles.go. JSON and notebooks, for which there is no grammar, are read with the standard library.
//
// It guarantees that no tree outlives the call that made it, except those of a Document until its Close; that an
// outline holds nothing of a tree; that parsing ends within a budget of time whatever the text; and that the outline
// of an edited Document equals that of a fresh parse of its text. Broken code is no error: what can be recognised is
// in the outline, and HasError says that something could not. It never reads files and never decides what a chunk is.
package syntax
