// Package display lays plain text out for terminals: cell widths, tables, boxes and relative times.
//
// It guarantees that no line is wider than it was asked for, that a rune is never cut in two, and that text which
// came from files can't move the cursor or change colours (Clean). It never writes anything and knows nothing of
// what the words mean.
package display
