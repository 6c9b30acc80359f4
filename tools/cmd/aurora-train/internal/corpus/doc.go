// Package corpus reads public repositories and makes of them the pairs that the embedding model learns from: a text that
// says something, and the code that it says it about.
//
// It guarantees that the same folders give the same pairs, that no repository held out for evaluation is read, and that
// no function that also occurs in one is used. It keeps hashes of tokens only, never text.
package corpus
