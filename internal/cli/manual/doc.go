// Package manual writes the manual pages of commands in the man macros of roff.
//
// The library's writer takes the texts of commands for Markdown, in which a star or a number at the beginning of a line
// means something, and brings two parsers of it along: 0.4 MB.
package manual
