// Package lazyregexp compiles regular expressions when they are first used, rather than all of them at each start of the
// program, most of whose commands need none. Go's own command has a package like it.
package lazyregexp
