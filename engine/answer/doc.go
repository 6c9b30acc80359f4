// Package answer answers questions from the index, git and memory alone, without a model.
//
// It owns the sentences of the answer, one type for each kind of question. It guarantees that every fact is followed by
// the number of a citation that shows it, or by the commit that says it, and that it abstains in plain words, naming what
// it looked for, when the evidence is thin. Its rules never read files, never rank, and never guess: everything they know
// comes from a Workspace of package evidence, which reads one snapshot; what is asked comes from package question.
package answer
