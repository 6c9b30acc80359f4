// Package chunk cuts a file into the pieces that AURORA finds: functions, methods, classes, sections, and the
// remainder between them.
//
// It owns the shape of a chunk and the rules by which an outline (package syntax) becomes chunks. It guarantees
// that the result depends on nothing but the text, the language and Version, that every byte which is not white
// space belongs to at least one chunk (in a notebook: every byte of its cells), that chunks are disjoint or nested, and
// that they come in the order of their start.
//
// What is too long to be read at once is cut, and every piece but the first knows the last tenth or so of the one
// before as its Overlap. The overlap is no part of a chunk's Span, so chunks stay disjoint. Sections, blocks and text
// are cut into chunks of their own; a function stays one chunk, which is what people look for, and has Parts.
//
// It never reads files, never touches tree-sitter, and never knows a workspace.
package chunk
