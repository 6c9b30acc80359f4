// Package claims holds the sentences of a text against the sources that they cite: whether a source exists, and has the
// names, places, figures, quotations and code of the sentence; and whether sentences contradict each other.
//
// It guarantees that the same text with the same sources is always judged the same, without a model, and that the work is
// bounded however long the text is. What only the workspace knows, it asks of Grounds. It never reads files, and never decides what
// follows from a problem.
package claims
