// Package arch holds the test that keeps the table of packages in docs/architecture.md true. It has no code.
package arch
