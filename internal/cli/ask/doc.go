// Package ask has the commands that answer: query, its single steps, and the history of what was asked.
package ask
