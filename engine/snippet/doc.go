// Package snippet shows a chunk of code or a memory record as a Hit: its text, its place, where its knowledge comes from,
// and what a reader must know of the code that it cites.
//
// It guarantees that the text of a hit is what its file or buffer holds now. It neither finds nor ranks hits.
package snippet
