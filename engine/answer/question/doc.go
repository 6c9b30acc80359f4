// Package question tells what a question asks: its kind, the name, path or words that it is about, and what narrows it.
//
// It owns the rules, which are patterns of the English language. It guarantees that a question that no rule knows is one
// for citations, and that parsing neither reads anything nor fails.
package question
