// Package reason answers questions: with a model through the phases of package soar, without one from the index, git and
// memory alone. It also plans, reviews what others made, works toward a goal unattended, and plays questions again.
//
// It owns a question from its check to what is kept of it: the record in memory, the entry of the journal with its figures,
// and the Markdown file. It guarantees that an answer whose model failed says so, that an answer without a model is never
// called verified, that nothing is spent past a limit, and that nothing which is kept fails the question. It ranks nothing
// and holds no text of the workspace: what it cites comes from package answer.
package reason
