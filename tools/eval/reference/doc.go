// Package reference measures the graph of calls against tools that know the types of a language: the TypeScript compiler,
// pyright, gopls, clangd, intelephense, jdtls and rust-analyzer.
//
// It takes functions of a checkout at random, asks the tool for all references to each, and compares the definitions that
// hold them with the callers that AURORA knows. It guarantees that the same seed chooses the same functions, and says what is
// missing where a tool isn't there; it never installs anything.
package reference
