// Package pasted reads what people paste rather than type: error messages, log lines, stack traces and pieces of code.
//
// It owns the forms in which compilers and runtimes name places, and the comparison of a printed line with the text that
// printed it, whose format verbs and interpolations were filled in. It is pure: it looks nothing up.
package pasted
