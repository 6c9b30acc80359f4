// Package proposal has the changes of files that a model proposes: edits that are held against the texts as they are, and the
// patch that they make.
//
// It owns the texts as they would be. It guarantees that an edit takes the place of a text that stands in its file exactly
// once, and that a patch applies to the texts that the edits were held against. It never reads or writes a file.
package proposal
