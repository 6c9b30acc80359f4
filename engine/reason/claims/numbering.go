package claims

import (
	"fmt"
	"slices"
	"strings"
)

// Numbering gives the citations of an answer the numbers 1, 2, ... in the order in which they come, and returns the
// sources behind them. Citations of sources that do not exist are taken out.
type Numbering struct {
	Sources []Source // that may be cited
	Cited   []Source // so far; the first has the number 1

	held string // an opening bracket whose end has not come yet
}

// longestMark bounds how much text is held back for a citation.
const longestMark = 60

// Add turns the next piece of a text.
func (n *Numbering) Add(more string) string {
	text := n.held + more
	n.held = ""
	if at := strings.LastIndexByte(text, '['); at >= 0 && !strings.ContainsRune(text[at:], ']') && len(text)-at < longestMark {
		n.held, text = text[at:], text[:at]
	}
	return citationMark.ReplaceAllStringFunc(text, n.replace)
}

// Rest returns what was held back.
func (n *Numbering) Rest() string {
	text := n.held
	n.held = ""
	return text
}

func (n *Numbering) replace(mark string) string {
	var b strings.Builder
	for _, id := range sourceID.FindAllString(mark, -1) {
		at := slices.IndexFunc(n.Sources, func(s Source) bool { return s.ID == id })
		if at < 0 {
			continue
		}
		number := slices.IndexFunc(n.Cited, func(s Source) bool { return s.ID == id })
		if number < 0 {
			n.Cited = append(n.Cited, n.Sources[at])
			number = len(n.Cited) - 1
		}
		fmt.Fprintf(&b, "[%d]", number+1)
	}
	return b.String()
}
