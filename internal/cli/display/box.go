package display

import "strings"

// The widths of a Box in cells. Narrower terminals get narrower boxes.
const (
	DefaultBoxWidth = 80
	MaxBoxWidth     = 120
	minBoxWidth     = 12
)

// A BoxLine is one entry of a box; when it is too long it goes on at Hang cells from the left.
type BoxLine struct {
	Text string
	Hang int
}

// Box draws lines in a frame with a title in its upper edge. A width of 0 means DefaultBoxWidth; every line returned
// takes exactly the box's width.
func Box(title string, body []BoxLine, width int) []string {
	if width <= 0 {
		width = DefaultBoxWidth
	}
	width = min(max(width, minBoxWidth), MaxBoxWidth)
	title = Cut(title, width-5)
	lines := []string{"┌─ " + title + " " + strings.Repeat("─", width-5-Cells(title)) + "┐"}
	for _, entry := range body {
		for _, text := range Hang(entry.Text, entry.Hang, width-4) {
			lines = append(lines, "│ "+Pad(text, width-4)+" │")
		}
	}
	return append(lines, "└"+strings.Repeat("─", width-2)+"┘")
}

// Hang breaks a line at spaces so that it takes at most width cells. The first line stays as it is, leading spaces and
// alignment included; the others begin at cell at, or in the middle of a narrow terminal.
func Hang(line string, at, width int) []string {
	if Cells(line) <= width {
		return []string{line}
	}
	width = max(width, 4)
	at = min(at, width/2)
	first := prefix(line, width)
	if space := strings.LastIndexByte(line[:first], ' '); space > at {
		first = space
	}
	lines := []string{strings.TrimRight(line[:first], " ")}
	for _, rest := range Wrap(line[first:], width-at) {
		lines = append(lines, strings.Repeat(" ", at)+rest)
	}
	return lines
}
