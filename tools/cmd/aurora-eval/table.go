package main

import (
	"strings"
	"text/tabwriter"
)

// A table is printed in columns as wide as their cells.
type table [][]string

func (t *table) add(cells ...string) { *t = append(*t, cells) }

func (p *program) printTable(t table) {
	w := tabwriter.NewWriter(p.out, 0, 4, 1, ' ', 0)
	for _, row := range t {
		w.Write([]byte(strings.Join(row, "\t| ") + "\n"))
	}
	w.Flush()
}

// cut shortens a text to n characters.
func cut(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}
