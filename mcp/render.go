package mcp

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/internal/api"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// maxRecordRunes is the most of a memory record's text that a list shows; the resource of the record has all of it.
const maxRecordRunes = 800

// maxTagRunes is the most of its tags that a list shows.
const maxTagRunes = 200

// likely is how sure a relation must be to be listed without a word of doubt.
const likely = 0.7

// A hit is one piece of code or one memory record, as short as an agent can use it.
type hit struct {
	ID        string  `json:"id"`
	Path      string  `json:"path,omitempty"`
	Line      int     `json:"line,omitempty"` // of the name
	Lines     string  `json:"lines,omitempty"`
	Type      string  `json:"type"`
	Name      string  `json:"name"`
	Signature string  `json:"signature,omitempty"`
	Doc       string  `json:"doc,omitempty"`
	Text      string  `json:"text,omitempty"`  // of a record; of code when snippets were asked for
	About     string  `json:"about,omitempty"` // of a record: the places that it cites
	Tags      string  `json:"tags,omitempty"`
	Score     float64 `json:"score"`
	Open      bool    `json:"open,omitempty"` // from an editor's buffer, saved or not
	relation
	Weak bool `json:"weak,omitempty"` // it may well have nothing to do with what was asked
}

// A relation is how a hit of related is connected to what was asked about.
type relation struct {
	Relation string  `json:"relation,omitempty"`
	UsedAt   int     `json:"usedAt,omitempty"` // the line in the hit that calls, or else uses, it
	Sure     float64 `json:"sure,omitempty"`   // 0..1: that the relation is one, and not a namesake's
}

func newHit(h *api.Hit, snippets bool) hit {
	out := hit{
		ID: h.ID, Path: h.Path, Line: h.Line(), Lines: lines(h), Type: h.Type, Name: qualified(h), Score: rounded(h.Score),
		Open: h.Source == "overlay", Weak: h.Weak, Tags: strings.Join(h.Tags, ", "),
	}
	if h.Source == "memory" {
		out.Text = cut(h.Text, maxRecordRunes)
		var places []string
		for _, c := range h.Citations {
			places = append(places, strings.TrimSpace(fmt.Sprintf("%s:%d %s", c.Path, c.Line, c.Name)))
		}
		out.About = cut(strings.Join(places, ", "), maxTagRunes)
		return out
	}
	out.Signature, out.Doc = h.Signature, cut(h.Doc, 160)
	if snippets {
		out.Text = h.Snippet
	}
	return out
}

func newHits(hits []api.Hit, snippets bool) []hit {
	out := make([]hit, len(hits))
	for i := range hits {
		out[i] = newHit(&hits[i], snippets)
	}
	return out
}

func qualified(h *api.Hit) string {
	if h.Container == "" {
		return h.Name
	}
	return h.Container + "." + h.Name
}

func rounded(score float64) float64 { return float64(int(score*1000+0.5)) / 1000 }

// lines is the range of a piece of code, counted from one: 45-67.
func lines(h *api.Hit) string {
	if h.Range == nil {
		return ""
	}
	first, last := h.Range.Start.Line+1, h.Range.End.Line+1
	if h.Range.End.Character == 0 && last > first {
		last--
	}
	if first == last {
		return strconv.Itoa(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

// write adds the hit to a list: where, what, and what it says.
func (h *hit) write(b *strings.Builder, number int) {
	fmt.Fprintf(b, "%d. ", number)
	if h.Relation != "" {
		b.WriteString(h.Relation + " ")
	}
	if h.Path == "" {
		fmt.Fprintf(b, "[%s] %s", h.Type, h.ID)
	} else {
		fmt.Fprintf(b, "%s:%s %s %s", oneLine(h.Path), h.Lines, h.Type, oneLine(h.Name))
	}
	if h.UsedAt > 0 {
		fmt.Fprintf(b, ", in line %d", h.UsedAt)
	}
	if h.Relation != "" && h.Sure < likely {
		fmt.Fprintf(b, " (only %.1f sure)", h.Sure)
	}
	if h.Weak {
		b.WriteString(" (weak: may be about something else)")
	}
	if h.About != "" {
		b.WriteString(" about " + oneLine(h.About))
	}
	if h.Open {
		b.WriteString(" (open in an editor)")
	}
	if h.Tags != "" {
		b.WriteString(" #" + cut(oneLine(h.Tags), maxTagRunes))
	}
	b.WriteByte('\n')
	for _, line := range []string{h.Signature, h.Doc} {
		if line != "" && line != h.Name {
			b.WriteString("   " + oneLine(line) + "\n")
		}
	}
	for line := range strings.Lines(h.Text) {
		b.WriteString("   " + strings.TrimRight(line, "\r\n") + "\n")
	}
}

// fenced puts a list of hits into a fence that nothing in it can end.
func fenced(hits []hit) string {
	if len(hits) == 0 {
		return ""
	}
	var b strings.Builder
	for i := range hits {
		hits[i].write(&b, i+1)
	}
	return fence(b.String())
}

// List is hits as search lists them for an agent.
func List(hits []api.Hit) string { return fenced(newHits(hits, false)) }

// fence marks text as data.
func fence(s string) string {
	ticks := text.Fence(s)
	return ticks + "text\n" + strings.TrimRight(visible(s), "\n") + "\n" + ticks + "\n"
}

// visible drops control characters, which could hide text from a person who looks at what a model was given.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) {
			return r
		}
		return -1
	}, s)
}

func oneLine(s string) string { return strings.Join(strings.Fields(visible(s)), " ") }

// cut shortens s to n runes and marks the cut.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + "…"
}

// notes are sentences under an answer.
func notes(list []string) string {
	var b strings.Builder
	for _, n := range list {
		b.WriteString("Note: " + oneLine(n) + "\n")
	}
	return b.String()
}
