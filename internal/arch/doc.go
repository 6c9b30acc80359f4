// Package arch holds the tests that keep the table of packages in docs/architecture.md true, and the sizes of packages and
// types within their limits. It has no code.
package arch
