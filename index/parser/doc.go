// Package parser cuts texts into chunks, in this process or in processes of its own.
//
// Grammars are C code: a text can make one loop, take all memory, or end the process, and nothing in Go can interrupt
// it. A Pool therefore parses in child processes, which are this program again (Serve). A child watches the
// processor time and the memory that one text takes, and ends itself when it is too much; the Pool starts another
// one. Its memory, too, goes back to the system when a child ends, which an idle one does.
//
// It guarantees that no text ends or blocks the caller, that the result is that of chunk.Analyze when the text stays
// within the limits, and that a text that does not is cut by its paragraphs, with an error that says why. It never
// reads files, and keeps nothing on disk.
package parser
