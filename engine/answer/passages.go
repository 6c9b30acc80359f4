package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

const maxPassages = 5

// passages answers whatever no rule knows: with the best passages, or not at all.
func (w *Writer) passages(ctx context.Context, q Question) (*Answer, error) {
	words := q.Text
	if q.Intent != Passages && q.Subject != "" {
		words = q.Subject
	}
	found, confidence, err := w.Library.Search(ctx, words, maxPassages)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 || confidence < thin {
		return w.abstain(q, code(words)), nil
	}
	d := &draft{}
	if looksLikeName(words) && !slices.ContainsFunc(found, func(p Passage) bool { return hasName(p.Text, words) }) {
		d.say("Nothing here is called %s, and none of these passages has the word.", code(words))
	}
	d.say("%s matches %s best; no model read it, so judge for yourself.", passageLine(d, found[0]), code(words))
	if first := found[0]; first.Path != "" {
		d.show(first.Language, head(first.Text, 12))
	}
	var lines []string
	for _, p := range found[1:] {
		lines = append(lines, passageLine(d, p))
	}
	if len(lines) > 0 {
		d.say("These match, too:")
		d.list(lines)
	}
	return d.answer(q.Intent, 0.8*confidence), nil
}

// looksLikeName reports whether a word is spelled as names of code are and words of a language are not.
func looksLikeName(word string) bool {
	return isName(word) && strings.ContainsFunc(word[min(1, len(word)):], func(r rune) bool { return r == '_' || r == '.' || unicode.IsUpper(r) })
}

func passageLine(d *draft, p Passage) string {
	if p.Path == "" {
		return fmt.Sprintf("What was remembered, %s %s", quote(p.Text), d.cite(p))
	}
	line := fmt.Sprintf("%s in %s", code(p.Name), p.Place())
	if p.Doc != "" {
		line += ": " + quote(p.Doc)
	}
	return line + " " + d.cite(p)
}

// head returns the first n lines of s, each at most 200 characters.
func head(s string, n int) string {
	var lines []string
	for line := range strings.Lines(s) {
		if len(lines) == n {
			lines = append(lines, "…")
			break
		}
		lines = append(lines, cut(strings.TrimRight(line, "\r\n"), 200))
	}
	return strings.Join(lines, "\n")
}
