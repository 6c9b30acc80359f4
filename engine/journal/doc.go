// Package journal writes down what was asked, answered, spent, used and learned, once and in one transaction, into the one
// table that memory keeps; and shows what others read of it: the history of questions with what a replay needs, and the
// Markdown files of conversations. Spending (package budget), figures and reports are further views of the same table.
//
// It guarantees that what was acknowledged survives the end of the process at any moment, that a Markdown file which is
// missing after such an end is written later, and that no file and no sum of money of an earlier version is taken over
// twice. What looks like a secret is taken out before anything is written. It never decides what is worth keeping, and
// knows neither models nor phases: what a replay needs is JSON to it.
package journal
