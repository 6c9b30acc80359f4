package picker

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

// Sequences of the terminal.
const (
	reverse = "\x1b[7m"
	bold    = "\x1b[1m"
	dim     = "\x1b[2m"
	plain   = "\x1b[0m"
)

// tabCells is how wide a tab is shown.
const tabCells = 4

// leastPreview is the height from which a preview is shown under the list.
const leastPreview = 8

// View implements tea.Model.
func (p *picker) View() tea.View {
	view := tea.NewView(strings.Join(p.frame(), "\n"))
	view.AltScreen = true
	if view.Cursor = p.input.Cursor(); view.Cursor != nil {
		view.Cursor.X = min(view.Cursor.X+display.Cells(p.prompt()), max(0, p.width-1))
		view.Cursor.Blink = false
	}
	return view
}

// frame is the screen, line by line, at most as high and wide as the terminal.
func (p *picker) frame() []string {
	height := max(1, p.height)
	lines := []string{p.promptLine()}
	if height == 1 {
		return lines
	}
	lines = append(lines, p.statusLine())
	room := height - len(lines)
	p.rows = min(room, len(p.found.Items))
	preview := 0
	if room >= leastPreview {
		p.rows = min(len(p.found.Items), max(3, room*2/5))
		preview = room - p.rows - 1
	}
	p.top = max(0, min(p.top, p.selected, len(p.found.Items)-p.rows))
	if p.selected >= p.top+p.rows {
		p.top = p.selected - p.rows + 1
	}
	for i := p.top; i < p.top+p.rows; i++ {
		lines = append(lines, p.itemLine(i))
	}
	if preview > 0 && p.rows > 0 {
		lines = append(lines, p.style(dim, strings.Repeat("─", max(1, p.width-1))))
		lines = append(lines, p.previewLines(preview)...)
	}
	return lines
}

// style marks s when colours are wanted.
func (p *picker) style(sequence, s string) string {
	if !p.o.Color || s == "" {
		return s
	}
	return sequence + s + plain
}

// prompt is left out where there is hardly room to type.
func (p *picker) prompt() string {
	if display.Cells(p.o.Prompt)+2 > p.width {
		return ""
	}
	return p.o.Prompt
}

func (p *picker) promptLine() string {
	p.input.SetWidth(max(1, p.width-display.Cells(p.prompt())-1))
	return p.style(bold, p.prompt()) + strings.TrimRight(display.Cut(p.input.View(), p.width-display.Cells(p.prompt())), " ")
}

// statusLine says how many there are, what is wrong, or what to do.
func (p *picker) statusLine() string {
	keys := "  Enter " + p.o.Hint + "  ^R why  Esc leave"
	var text string
	switch {
	case p.err != nil:
		text = "Error: " + p.err.Error()
	case strings.TrimSpace(p.input.Value()) == "":
		text = "Type to search." + keys
	case p.asking && p.foundFor == "":
		text = "…" + keys
	case len(p.found.Items) == 0 && !p.asking:
		text = "Nothing found."
		if len(p.found.Notes) > 0 {
			text += " " + p.found.Notes[0]
		}
	default:
		text = fmt.Sprintf("%d/%d", min(p.selected+1, len(p.found.Items)), len(p.found.Items)) + keys
		if len(p.found.Notes) > 0 {
			text += "  " + p.found.Notes[0]
		}
	}
	return p.style(dim, display.Cut(display.Clean(text), p.width))
}

// itemLine is one item: score, kind and name from the left, the place from the right as far as it fits.
func (p *picker) itemLine(i int) string {
	item := &p.found.Items[i]
	mark := "  "
	if i == p.selected {
		mark = "> "
	}
	name := display.Clean(item.Name)
	left := mark + display.Clean(item.Score) + " " + display.Pad(display.Clean(item.Kind), p.kindCells()) + " " + name
	if p.width < 40 { // the kind is what can be done without
		left = mark + display.Clean(item.Score) + " " + name
	}
	left = display.Cut(left, p.width)
	room := p.width - display.Cells(left) - 2
	line := left
	if place := display.CutLeft(display.Clean(item.Place), room); room >= 8 {
		line = display.Pad(left, p.width-display.Cells(place)) + place
	}
	if i == p.selected {
		return p.style(reverse, display.Pad(line, p.width))
	}
	return line
}

// kindCells is the width of the column of kinds.
func (p *picker) kindCells() int {
	widest := 0
	for i := p.top; i < min(len(p.found.Items), p.top+p.rows); i++ {
		widest = max(widest, display.Cells(display.Clean(p.found.Items[i].Kind)))
	}
	return min(widest, 12)
}

// previewLines show the item that is selected, or why it ranks.
func (p *picker) previewLines(height int) []string {
	if p.selected >= len(p.found.Items) {
		return nil
	}
	if p.why {
		var lines []string
		for _, line := range p.o.Why(p.foundFor, p.selected) {
			lines = append(lines, display.Hang(display.Clean(line), 4, max(8, p.width))...)
		}
		return lines[:min(height, len(lines))]
	}
	v := p.o.Preview(p.foundFor, p.selected)
	from := 0
	if len(v.Lines) > height { // two lines around what is meant, as far as there is room
		from = max(0, min(v.From-2, len(v.Lines)-height))
	}
	number := 0
	if v.First > 0 && p.width >= 40 {
		number = len(fmt.Sprint(v.First + len(v.Lines)))
	}
	var lines []string
	for i := from; i < min(len(v.Lines), from+height); i++ {
		lines = append(lines, p.previewLine(v, i, number))
	}
	return lines
}

func (p *picker) previewLine(v Preview, i, number int) string {
	bar, style := "  ", dim
	if i >= v.From && i < v.To {
		bar, style = "▌ ", ""
	}
	margin := bar
	if number > 0 {
		margin += fmt.Sprintf("%*d ", number, v.First+i)
	}
	text := display.Clean(strings.ReplaceAll(v.Lines[i], "\t", strings.Repeat(" ", tabCells)))
	line := display.Cut(margin+text, p.width)
	if style == "" {
		return line
	}
	return p.style(style, line)
}
