package show

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine"
	"github.com/aurora-sidecar/aurora/engine/search/querytext"
	"github.com/aurora-sidecar/aurora/engine/search/rank"
	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/cli/app"
	"github.com/aurora-sidecar/aurora/internal/cli/display"
)

const (
	noteIndent = 4   // cells before notes and texts
	noNumbers  = 40  // cells of a terminal below which lines have no numbers
	longLine   = 500 // cells of a line where the output is no terminal
)

// A Page shows hits one below the other: place, name and facts on a line, then the code, then what is noted about it. The
// lines of places begin in the first column, all others are indented or empty, so that programs can tell them.
type Page struct {
	HitView
	Width int // cells of a line; 0 for an output that is no terminal
	Color bool
	Lines int // most lines of code of a hit

	words map[string]bool // that are marked, in lower case
	// Site is a place in the hit that is shown whatever else is; nil for none.
	Site *api.Range
}

// NewPage shows hits on standard output. words are those of the query, marked in the code as search understands them.
func NewPage(c *app.App, v HitView, query string, lines int) *Page {
	p := &Page{HitView: v, Width: c.Width, Color: c.Colored(), Lines: lines, words: map[string]bool{}}
	parsed := querytext.Parse(query)
	for _, term := range rank.Terms(parsed, rank.Classify(parsed.Words)) {
		p.words[term.Token] = !term.Unwanted
		for _, form := range term.Forms {
			p.words[form.Token] = true
		}
	}
	return p
}

// Hits are the lines that show what a search found.
func (p *Page) Hits(hits []api.Hit) []string {
	var lines []string
	for i := range hits {
		h := &hits[i]
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, p.Hit(h, ShortType(h), fmt.Sprintf("%.3f", h.Score), p.history(h))...)
	}
	return lines
}

// Hit shows one hit; facts follow its name.
func (p *Page) Hit(h *api.Hit, facts ...string) []string {
	if isRecord(h) {
		name, text := h.Name, cmp.Or(h.Snippet, h.Text)
		if strings.HasPrefix(strings.TrimSpace(text), strings.TrimSuffix(name, "…")) {
			name = "" // the text begins with it
		}
		if h.Weak {
			facts = append(slices.Clone(facts), "weak")
		}
		if h.Author != "" {
			facts = append(slices.Clone(facts), "by "+h.Author)
		}
		lines := append(p.header(h.ID, name, facts), p.prose(text)...)
		for _, c := range h.Citations {
			lines = append(lines, p.indented("about ", Citation(c))...)
		}
		for _, remark := range h.Remarks {
			lines = append(lines, p.indented("note ", remark)...)
		}
		if len(h.Tags) > 0 {
			lines = append(lines, p.indented("tags ", strings.Join(h.Tags, ", "))...)
		}
		return lines
	}
	lines := p.header(Location(h), QualifiedName(h), facts)
	if h.Origin == engine.OriginLog {
		return append(lines, p.prose(h.Snippet)...)
	}
	lines = append(lines, p.code(h)...)
	for _, note := range h.Notes {
		lines = append(lines, p.indented("note ", noteText(note))...)
	}
	return lines
}

// QualifiedName is the name with its container; "" for a stretch of a file that is only called by its place.
func QualifiedName(h *api.Hit) string {
	switch {
	case h.Type == "code" && strings.HasPrefix(h.Name, path.Base(h.Path)+":"):
		return ""
	case h.Container != "" && h.Type != "code":
		return h.Container + "." + h.Name
	}
	return h.Name
}

// history is what git knows of code, and the age of a record.
func (p *Page) history(h *api.Hit) string {
	switch {
	case isRecord(h) || h.Origin == engine.OriginLog:
		return display.Ago(api.Time(h.CreatedAt), p.Now)
	case !p.withGit() || h.Git == nil || h.Git.State == "unavailable":
		return ""
	case h.Git.State != "tracked":
		return h.Git.State
	}
	return display.Count(h.Git.Commits, "commit") + ", " + display.Ago(api.Time(h.Git.LastModified), p.Now)
}

// header is the line of a place. Of what follows the place that is left out which does not fit; a place that is too long
// itself is broken.
func (p *Page) header(place, name string, facts []string) []string {
	const gap = "  "
	room := cmp.Or(p.Width, longLine)
	lines := []string{display.Clean(place)}
	if p.Width > 0 {
		lines = display.Wrap(lines[0], room)
	}
	room -= display.Cells(lines[len(lines)-1])
	for i := range lines {
		lines[i] = p.paint(bold, lines[i])
	}
	line := &lines[len(lines)-1]
	for i, part := range append([]string{name}, facts...) {
		part = display.Clean(part)
		if part == "" {
			continue
		}
		if room -= len(gap); room < 8 && room < display.Cells(part) {
			break
		}
		part = display.Cut(part, room)
		room -= display.Cells(part)
		if i > 0 {
			part = p.paint(faint, part)
		}
		*line += gap + part
	}
	return lines
}

// prose is a text that is no code, wrapped and cut to the page's lines.
func (p *Page) prose(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, p.indented("", line)...)
		}
	}
	if len(lines) > p.Lines+1 {
		lines = append(lines[:p.Lines], p.paint(faint, "    …"))
	}
	return lines
}

// indented is a sentence after a label, broken to the page's width.
func (p *Page) indented(label, sentence string) []string {
	indent := strings.Repeat(" ", noteIndent)
	lines := []string{indent + label + strings.TrimSpace(display.Clean(sentence))}
	if p.Width > 0 {
		lines = display.Hang(lines[0], noteIndent+len(label), p.Width)
	}
	if label != "" {
		lines[0] = indent + p.paint(bold, label) + lines[0][min(len(lines[0]), noteIndent+len(label)):]
	}
	return lines
}

func noteText(n api.Note) string {
	text := FirstText(n.Text) + " (" + n.ID + ")"
	if n.Warning != "" {
		text += "; " + n.Warning
	}
	return text
}

// code shows the lines of a definition that tell most, with their numbers.
func (p *Page) code(h *api.Hit) []string {
	src := p.read(h)
	if len(src.lines) == 0 {
		return nil
	}
	first, digits := h.FirstLine()+1, 0
	if h.Range != nil && (p.Width == 0 || p.Width >= noNumbers) {
		digits = max(4, len(fmt.Sprint(first+len(src.lines))))
	}
	room := cmp.Or(p.Width, longLine+digits+2) - digits - 2
	numbered := func(i int) string {
		number := strings.Repeat(" ", digits)
		if digits > 0 {
			number = p.paint(faint, fmt.Sprintf("%*d", digits, first+i))
		}
		return strings.TrimRight(number+"  "+p.line(src, i, room), " ")
	}
	gap := fmt.Sprintf("%*s", digits, "…")
	var lines []string
	next := 0
	for _, i := range src.choose(p.Lines) {
		switch held := src.held(next, i); {
		case held == 1:
			lines = append(lines, numbered(next))
		case held > 1 && next > 0:
			lines = append(lines, p.paint(faint, gap))
		}
		lines = append(lines, numbered(i))
		next = i + 1
	}
	if left := len(src.lines) - next; left == 1 {
		lines = append(lines, numbered(next))
	} else if left > 1 {
		lines = append(lines, p.paint(faint, display.Cut(gap+"  "+display.Count(left, "more line"), room+digits+2)))
	}
	return lines
}

// choose picks at most n lines: the one of the name, the one that is asked for, the first, those with most words of the query, and those that
// follow the name. Of a text with one line more all are chosen.
func (s *source) choose(n int) []int {
	if len(s.lines) <= n+1 {
		n = len(s.lines)
	}
	chosen := map[int]bool{}
	add := func(i int) {
		if len(chosen) < n && i < len(s.lines) && (s.lines[i] != "" || n == len(s.lines)) {
			chosen[i] = true
		}
	}
	add(s.name)
	if s.site >= 0 {
		add(s.site)
	}
	if n > 4 {
		add(0)
	}
	best := make([]int, len(s.lines))
	for i := range best {
		best[i] = i
	}
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(s.words[b], s.words[a]) })
	for _, i := range best[:min(len(best), (n+1)/2)] {
		if s.words[i] > 0 {
			add(i)
		}
	}
	for i := s.name; i < len(s.lines); i++ {
		add(i)
	}
	for i := range s.lines { // a name near the end of its text
		add(i)
	}
	picked := make([]int, 0, n)
	for i := range s.lines {
		if chosen[i] {
			picked = append(picked, i)
		}
	}
	return picked
}

// held counts the lines from one to before another, without blank ones at the ends.
func (s *source) held(from, to int) int {
	for from < to && s.lines[from] == "" {
		from++
	}
	for from < to && s.lines[to-1] == "" {
		to--
	}
	return to - from
}
