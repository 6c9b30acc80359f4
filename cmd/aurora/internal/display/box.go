package display

import "strings"

// The widths of a Box in cells (DSP-015). Narrower terminals get narrower boxes.
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
		for _, text := range hang(entry, width-4) {
			lines = append(lines, "│ "+Pad(text, width-4)+" │")
		}
	}
	return append(lines, "└"+strings.Repeat("─", width-2)+"┘")
}

// hang wraps an entry; its own leading spaces and alignment stay in the first line.
func hang(entry BoxLine, width int) []string {
	if Cells(entry.Text) <= width {
		return []string{entry.Text}
	}
	at := min(entry.Hang, width/2)
	first := prefix(entry.Text, width)
	if space := strings.LastIndexByte(entry.Text[:first], ' '); space > at {
		first = space
	}
	lines := []string{strings.TrimRight(entry.Text[:first], " ")}
	for _, rest := range Wrap(entry.Text[first:], width-at) {
		lines = append(lines, strings.Repeat(" ", at)+rest)
	}
	return lines
}
