// Package measure has the commands that measure search, answers and tokens.
package measure
