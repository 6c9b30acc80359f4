// Package answer answers questions from the index, git and memory alone, without a model.
//
// It owns the rules that tell what a question asks, and the sentences of the answer. It guarantees that every fact is
// followed by the number of a citation that shows it, or by the commit that says it, and that it abstains in plain
// words, naming what it looked for, when the evidence is thin. Its rules never read files, never rank, and never guess:
// everything they know comes from a Workspace, which reads one snapshot.
package answer
