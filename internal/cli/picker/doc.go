// Package picker lets a person search while typing, look at what is found, and choose.
//
// It owns the keys, the drawing and the terminal while it runs, and leaves the terminal as it found it. What is searched,
// and what a choice means, is up to its caller. It draws with the few sequences that every terminal of the last thirty
// years knows, so that it needs no library.
package picker
