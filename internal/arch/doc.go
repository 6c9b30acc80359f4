// Package arch holds the tests that keep the table of packages in docs/architecture.md true, the sizes of packages and types
// within their limits, and the words of the code those of the glossary (testdata/glossary.txt). It has no code.
package arch
