// Package search turns a snapshot and a query into ranked hits of code and memory together.
//
// It owns the retrievers, which propose candidates, their settings and accounts (Searcher.Providers), the filters of a
// query, and the notes that say why a result is empty or what it lacks. Package querytext takes queries apart, package rank
// ranks. A provider that fails, panics or takes too long costs its own candidates only. It reaches memory, conversations and
// git through the interfaces in searcher.go, and never asks a language model.
package search
