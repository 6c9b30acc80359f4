package assemble

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/engine/snippet"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/index"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// A part is what a part is there for, in the order of places.
type role int

const (
	roleSelected role = iota
	roleNeighbour
	roleFound
)

// A part is a stretch of a file, or of an open buffer, that may become part of a context: as a block of code, or as
// single lines with their numbers.
type part struct {
	hit   snippet.Hit
	role  role
	lines []string // all of it, without terminators
	first int      // zero-based line of lines[0] in its file
	shown []int    // indexes of the lines that are shown, ascending

	relevance float64 // the score and the boost as a share of the best score
	boost     float64 // what definitions near by say for it
	meaning   index.Direction
	words     map[string]bool // distinct words, made when there is no meaning
}

// newPiece shows all lines of a hit.
func newPart(h snippet.Hit, p role) *part {
	n := &part{hit: h, role: p, lines: strings.Split(strings.TrimRight(h.Text, "\r\n"), "\n"), relevance: h.Score}
	n.first = h.FirstLine()
	for i := range n.lines {
		n.lines[i] = strings.TrimSuffix(n.lines[i], "\r")
		n.shown = append(n.shown, i)
	}
	return n
}

// with returns the part with other lines shown.
func (p *part) with(shown []int) *part {
	q := *p
	q.shown = shown
	return &q
}

// whole reports whether nothing is left out.
func (p *part) whole() bool { return len(p.shown) == len(p.lines) }

// lineSpan is the lines of the file that are shown, zero-based, both inclusive.
func (p *part) lineSpan() (first, last int) {
	if len(p.shown) == 0 {
		return p.first, p.first
	}
	return p.first + p.shown[0], p.first + p.shown[len(p.shown)-1]
}

// omission stands for lines that are left out.
const omission = "…"

// text is what is shown as a block: an ellipsis stands where lines are missing.
func (p *part) text() string {
	var b strings.Builder
	next := 0
	for _, i := range p.shown {
		if i > next {
			b.WriteString(omission + "\n")
		}
		b.WriteString(p.lines[i])
		b.WriteByte('\n')
		next = i + 1
	}
	if next < len(p.lines) {
		b.WriteString(omission)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// asSent is the hit with the text and the place that are shown.
func (p *part) asSent(count func(string) int) snippet.Hit {
	h := p.hit
	h.Text = p.text()
	h.Snippet = wording.HeadLines(h.Text, snippet.MaxLines)
	h.Tokens = count(h.Text)
	if h.Range != nil && !p.whole() {
		r := *h.Range
		first, last := p.lineSpan()
		if first > r.Start.Line {
			r.Start = text.Position{Line: first}
		}
		if last < r.End.Line {
			line := p.lines[p.shown[len(p.shown)-1]]
			r.End = text.Position{Line: last, Byte: len(line), UTF16: len(utf16.Encode([]rune(line)))}
		}
		h.Range, h.Above = &r, max(0, r.Start.Line-first)
	}
	return h
}

const (
	// maxPeekLine is the most bytes of a line that is shown by itself.
	maxPeekLine = 160
	// peekLines is how many lines of a definition are shown by themselves.
	peekLines = 4
	// headShare is the part of a cut block that its beginning gets; the rest goes to the lines that say most.
	headShare = 0.3
)

// peek shows the line of the name and those that hold most of the words asked for.
func (p *part) peek(asked []string) *part {
	keep := map[int]bool{p.nameLine(): true}
	for _, i := range p.telling(asked, peekLines-1) {
		keep[i] = true
	}
	for i := p.nameLine() + 1; i < len(p.lines) && len(keep) < 2; i++ { // a name alone says little
		if strings.TrimSpace(p.lines[i]) != "" {
			keep[i] = true
		}
	}
	return p.with(sortedLines(keep))
}

// nameLine is the index of the line with the name, the first line that is not empty without one.
func (p *part) nameLine() int {
	if r := p.hit.NameRange; r != nil && r.Start.Line >= p.first && r.Start.Line < p.first+len(p.lines) {
		return r.Start.Line - p.first
	}
	for i, line := range p.lines {
		if strings.TrimSpace(line) != "" {
			return i
		}
	}
	return 0
}

// telling returns at most n lines that together hold most of the words asked for, each the one that adds most. A word
// counts the less the more lines hold it.
func (p *part) telling(asked []string, n int) []int {
	holders := map[string]int{}
	tokens := make([][]string, len(p.lines))
	for i, line := range p.lines {
		for _, t := range text.Tokenize(wording.CutBytes(line, wording.MaxLine)) {
			if slices.Contains(asked, t) && !slices.Contains(tokens[i], t) {
				tokens[i] = append(tokens[i], t)
				holders[t]++
			}
		}
	}
	var best []int
	seen := map[string]bool{}
	for len(best) < n {
		line, gain := -1, 0.0
		for i, held := range tokens {
			sum := 0.0
			for _, t := range held {
				if !seen[t] {
					sum += 1 / float64(holders[t])
				}
			}
			if sum > gain {
				line, gain = i, sum
			}
		}
		if line < 0 {
			break
		}
		best = append(best, line)
		for _, t := range tokens[line] {
			seen[t] = true
		}
	}
	return best
}

// within shows at most n runes: the beginning, and around the lines that say most of what was asked.
func (p *part) within(n int, asked []string) *part {
	total := 0
	for _, i := range p.shown {
		total += p.lineCost(i)
	}
	if total <= n {
		return p
	}
	keep, left := map[int]bool{}, n
	take := func(i int) bool {
		if keep[i] {
			return true
		}
		if cost := p.lineCost(i); cost <= left {
			keep[i], left = true, left-cost
			return true
		}
		return false
	}
	centres := p.telling(asked, 6)
	head := n
	if len(centres) > 0 {
		head = int(headShare * float64(n))
	}
	take(p.nameLine())
	for _, i := range p.shown {
		if n-left+p.lineCost(i) > head || !take(i) {
			break
		}
	}
	for distance := 0; left > 0 && distance < len(p.lines) && len(centres) > 0; distance++ {
		more := false
		for _, c := range centres {
			for _, i := range []int{c - distance, c + distance} {
				if i >= 0 && i < len(p.lines) {
					more = true
					if !take(i) { // nor what is further away: a brace alone at the end says nothing
						left = 0
					}
				}
			}
		}
		if !more {
			break
		}
	}
	return p.with(sortedLines(keep))
}

// lineCost is the runes of a line with its terminator and, as it may end a stretch, a mark.
func (p *part) lineCost(i int) int { return utf8.RuneCountInString(p.lines[i]) + 2 }

// shorter shows all but the last n lines.
func (p *part) shorter(n int) *part { return p.with(p.shown[:max(0, len(p.shown)-n)]) }

func sortedLines(set map[int]bool) []int {
	list := make([]int, 0, len(set))
	for i := range set {
		list = append(list, i)
	}
	slices.SortFunc(list, cmp.Compare)
	return list
}

// similarity is how much two parts say the same, 0..1: the cosine of their vectors, without vectors the share of
// words that both have (Jaccard).
func (p *part) similarity(q *part) float64 {
	if !p.meaning.IsZero() && !q.meaning.IsZero() {
		return max(0, p.meaning.CosineTo(q.meaning))
	}
	return jaccard(p.wordSet(), q.wordSet())
}

func (p *part) wordSet() map[string]bool {
	if p.words == nil {
		p.words = map[string]bool{}
		for _, t := range text.Tokenize(p.hit.Text) {
			p.words[t] = true
		}
	}
	return p.words
}

func jaccard(a, b map[string]bool) float64 {
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	if either := len(a) + len(b) - both; either > 0 {
		return float64(both) / float64(either)
	}
	return 0
}
