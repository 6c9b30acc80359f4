// Package jsonfile changes single values of JSON files that belong to people: comments, order, unknown keys and
// indentation stay as they are.
//
// It guarantees that a file it can't read is not written, and that a file is replaced as a whole or not at all.
package jsonfile
