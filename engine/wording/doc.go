// Package wording writes what the engine tells people: counts with their nouns, ages, text cut to a line or to some bytes,
// and Markdown that shows text from files as it is.
//
// It guarantees that a cut falls at the end of a rune, and that no text opens a link, a tag or a fence. It knows nothing of
// what it writes about.
package wording
