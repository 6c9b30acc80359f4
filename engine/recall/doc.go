// Package recall remembers, finds and changes records of memory, and checks what became of the code that they cite.
//
// It owns citations and how they are followed when code moves, the notes that a team commits (.aurora/notes), and the places
// in earlier conversations. A citation is checked against a snapshot each time it is shown, so that nothing shows code that is
// gone as if it were there. The store is memory.Store; ranking is package search's.
package recall
