// Package assemble turns a task and a budget of tokens into one text with provenance: the selected code, what a search finds
// for the task, the neighbours of both, and what is remembered, as blocks or by their most telling lines.
//
// It guarantees that the final text, counted by package tokens, never exceeds the budget, and that what a reader has already
// is left out. It keeps account of what each conversation was sent. Ranking is package search's.
package assemble
