// Package search has the commands that find: mem with words, mem search, the picker, related and context.
package search
