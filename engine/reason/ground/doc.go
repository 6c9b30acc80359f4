// Package ground holds what a text says of code against the workspace: whether the files, lines and names in it exist, and
// whether what it says of calls, tests, types and places is so.
//
// It owns the reading of such statements in prose. It decides only what the index can decide: a name that may mean several
// things, a proposal, or a relation that goes through something outside of the workspace is left to others. It never ranks,
// never asks a model, and never changes the text.
package ground
