// Package complexity guesses how hard a question is from its words, by a small classifier that was trained on questions which
// people labelled.
//
// It owns the features and their weights. A question that has none of the features is not guessed at. It asks no model and
// knows nothing of how a question is worked on.
package complexity
