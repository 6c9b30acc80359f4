// Package history keeps what became of questions: events, passes, calls with the hashes of their prompts, times, costs,
// and what came back, so that a question can be looked at and played again without asking anybody.
//
// One question is one compressed file with mode 0600; its first line is what lists show. Files are written whole or not
// at all. What looks like a secret is taken out before anything is written. It never decides what is worth keeping, and
// it knows no model.
package history
