// Package evidence gives the facts that answers state: definitions, callers, lines, documents, records and commits, each as
// a citation.
//
// It owns the citations of one query and the snapshot that they come from. It guarantees that the text of a citation was
// read when it was handed out, that nothing comes from another snapshot, and that earlier answers are no evidence. It knows
// neither questions nor answers: what is asked, and the sentences, are of packages question and answer.
package evidence
