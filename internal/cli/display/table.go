package display

import (
	"slices"
	"strings"
)

// A Column is one column of a Table.
type Column struct {
	Title string
	Min   int  // cells that it may be cut down to; 0 means never cut
	Left  bool // cut at the left: paths
	Keep  int  // the higher, the later the column is left out when the table is too wide; 0 is left out first
}

const separator = " | "

// A Table holds cells that were cleaned already.
type Table struct {
	Columns []Column
	Rows    [][]string
}

// Lines lays the table out: a header, then a line for each row, cells joined by " | ". With a width above 0, columns
// are first cut to their minimum, the widest first, then left out; hidden names those that were.
func (t *Table) Lines(width int) (lines, hidden []string) {
	shown := make([]int, len(t.Columns))
	for i := range shown {
		shown[i] = i
	}
	widths := t.natural()
	if width > 0 {
		for len(shown) > 1 && t.least(shown, widths) > width {
			drop := t.leastKept(shown)
			hidden = append(hidden, t.Columns[shown[drop]].Title)
			shown = slices.Delete(shown, drop, drop+1)
		}
		t.fit(shown, widths, width)
	}
	lines = append(lines, t.line(shown, widths, t.titles()))
	for _, row := range t.Rows {
		lines = append(lines, t.line(shown, widths, row))
	}
	return lines, hidden
}

func (t *Table) titles() []string {
	titles := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		titles[i] = c.Title
	}
	return titles
}

// natural returns the cells that each column takes uncut.
func (t *Table) natural() []int {
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		widths[i] = Cells(c.Title)
		for _, row := range t.Rows {
			widths[i] = max(widths[i], Cells(row[i]))
		}
	}
	return widths
}

// least returns the cells of a line when every column is cut as far as it may be.
func (t *Table) least(shown, widths []int) int {
	total := (len(shown) - 1) * len(separator)
	for _, i := range shown {
		total += t.floor(i, widths)
	}
	return total
}

func (t *Table) floor(i int, widths []int) int {
	if c := t.Columns[i]; c.Min > 0 {
		return min(widths[i], c.Min)
	}
	return widths[i]
}

// leastKept returns the place in shown of the column that goes first.
func (t *Table) leastKept(shown []int) int {
	at := 0
	for i := range shown {
		if t.Columns[shown[i]].Keep <= t.Columns[shown[at]].Keep {
			at = i
		}
	}
	return at
}

// fit narrows the widest cuttable column, cell by cell, until a line takes at most width cells. A single column that
// is left may be cut without a limit.
func (t *Table) fit(shown, widths []int, width int) {
	over := (len(shown)-1)*len(separator) - width
	for _, i := range shown {
		over += widths[i]
	}
	if len(shown) == 1 && over > 0 {
		widths[shown[0]] -= over
		return
	}
	for ; over > 0; over-- {
		widest := -1
		for _, i := range shown {
			if widths[i] > t.floor(i, widths) && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}

func (t *Table) line(shown, widths []int, row []string) string {
	var b strings.Builder
	for n, i := range shown {
		if n > 0 {
			b.WriteString(separator)
		}
		cell := row[i]
		if t.Columns[i].Left {
			cell = CutLeft(cell, widths[i])
		} else {
			cell = Cut(cell, widths[i])
		}
		b.WriteString(Pad(cell, widths[i]))
	}
	return strings.TrimRight(b.String(), " ")
}
