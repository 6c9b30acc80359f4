// Package rank says in which order candidates are shown, and whether the best of them is plausible at all.
//
// It owns all constants of the ranking: rules.go for code, records.go for memory, terms.go for the words of a query, and the
// tiers, whose scores never overlap. The order is total: the same candidates always come out the same. It computes only; what
// it ranks was found by package search.
package rank
