// Package reference writes the documentation of the settings from their struct.
//
// It guarantees that every key is on the page, with the comment of its field, its range, its default and its names. It
// is used by tests and by go generate only.
package reference
