// Package soak has no code outside of its test: three clients work with the built program for as long as one likes, and
// nothing that the daemon holds may grow.
package soak
