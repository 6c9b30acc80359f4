// Package answer answers questions from the index, git and memory alone, without a model.
//
// It owns the rules that tell what a question asks, and the sentences of the answer. It guarantees that every fact is
// followed by the number of a passage that shows it, or by the commit that says it, and that it abstains in plain
// words, naming what it looked for, when the evidence is thin. It never reads files, never ranks, and never guesses:
// everything it knows comes through Library.
package answer
