// Package enginetest opens small workspaces for the tests of the packages below engine.
//
// It owns their files and closes what it opened when the test ends. It is imported by tests only.
package enginetest
