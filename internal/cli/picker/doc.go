// Package picker lets a person search while typing, look at what is found, and choose.
//
// It owns the screen while it runs, by Bubble Tea, and leaves the terminal as it found it. What is searched, and what a
// choice means, is up to its caller.
package picker
