// Package chunk cuts a file into the pieces that AURORA finds: functions, methods, classes, sections, and the
// remainder between them.
//
// It owns the shape of a chunk and the rules by which an outline (package syntax) becomes chunks. It guarantees
// that the result depends on nothing but the text, the language and Version, that every byte which is not white
// space belongs to at least one chunk, that chunks are disjoint or nested, and that they come in the order of their
// start. It never reads files, never touches tree-sitter, and never knows a workspace.
package chunk
