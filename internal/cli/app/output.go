package app

import (
	"fmt"
	"strings"

	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

// Notes says under a result what it lacks.
func (c *App) Notes(notes []string) {
	if len(notes) > 0 {
		fmt.Fprintln(c.Out)
	}
	for _, note := range notes {
		c.Wrapped("Note: ", note)
	}
}

// Wrapped prints a sentence after a label, broken to the terminal's width and aligned behind the label.
func (c *App) Wrapped(label, sentence string) {
	c.Hanging(label+display.Clean(sentence), display.Cells(label))
}

// Hanging prints a line, broken to the terminal's width; what follows the first line begins at cell at.
func (c *App) Hanging(line string, at int) {
	if c.Width == 0 {
		fmt.Fprintln(c.Out, line)
		return
	}
	for _, part := range display.Hang(line, at, c.Width) {
		fmt.Fprintln(c.Out, part)
	}
}

// PrintTable prints a table, fitted to the terminal; in a pipe nothing is cut. It returns what had to be left out.
func (c *App) PrintTable(table display.Table) (notes []string) {
	lines, hidden := table.Lines(c.Width)
	for i, line := range lines {
		if i == 0 {
			line = c.Bold(line)
		}
		fmt.Fprintln(c.Out, line)
	}
	if len(hidden) > 0 {
		notes = append(notes, "the terminal is too narrow for: "+strings.Join(hidden, ", "))
	}
	return notes
}
