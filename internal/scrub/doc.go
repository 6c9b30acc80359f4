// Package scrub takes secrets out of text before it is stored, logged or sent.
//
// It owns the formats of well-known keys, its own and those of gitleaks, and the shapes in which passwords are written
// down. It guarantees that text
// without a secret comes back unchanged, and that of a secret only its kind is left, with the text around it as it
// was: password = "[REDACTED:password]". It never knows where text comes from or goes to, and it is no proof that
// nothing secret is left: a password in a sentence looks like a word.
package scrub
