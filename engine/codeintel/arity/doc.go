// Package arity counts the parameters of functions and the arguments of calls, as texts write them.
//
// It owns how languages write lists of either. It knows strings alone: what cannot be counted it leaves out, and it never parses.
package arity
