// Package prompts renders the texts that models read, from templates embedded in the binary.
//
// It owns the templates and the fences around what is put into them. It guarantees that text from files and records
// stays inside its fence: it can't end the block that holds it, nor pose as another one. It never chooses, orders or
// shortens what is rendered, and it knows no provider.
package prompts
