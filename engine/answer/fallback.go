package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
)

const maxCitations = 5

// bySearch answers with the best citations for all words of the question, whatever it was taken for.
func bySearch(ctx context.Context, w *asked) (*Answer, error) {
	return w.with(question.Question{Text: w.q.Text, Intent: question.Citations, Subject: w.q.Text}).citations(ctx)
}

// citations answers whatever no rule knows: with the best citations, or not at all.
func (w *asked) citations(ctx context.Context) (*Answer, error) {
	words := w.q.Text
	if w.q.Intent != question.Citations && w.q.Intent != question.Origin && w.q.Subject != "" {
		words = w.q.Subject
	}
	if a, err := (facts{w}).byDocument(ctx); a != nil || err != nil {
		return a, err
	}
	if w.q.Intent == question.Citations || w.q.Intent == question.Definition || w.q.Intent == question.Explanation {
		if a, err := (explanation{w}).byWords(ctx, words); a != nil || err != nil {
			return a, err
		}
	}
	found, confidence, err := w.cited(ctx, words)
	if err != nil {
		return nil, err
	}
	d := &builder{}
	if len(found) == 0 || confidence < thin {
		thing, deed := cutDeed(words)
		if deed == "" {
			return w.abstain(code(words)), nil
		}
		if found, confidence, err = w.cited(ctx, thing); err != nil {
			return nil, err
		}
		if len(found) == 0 || confidence < thin {
			return w.abstain(code(words)), nil
		}
		d.say("Nothing here says that anything is %s. This is about %s:", code(deed), code(thing))
		words, confidence = thing, confidence/2
	}
	if looksLikeName(words) && !slices.ContainsFunc(found, func(p evidence.Citation) bool { return hasName(p.Text, words) }) {
		d.say("Nothing here is called %s, and none of these snippets has the word.", code(words))
	}
	d.say("%s is the best match for %s; not verified by a model.", citationLine(d, found[0]), code(words))
	rest := found[1:]
	if i := slices.IndexFunc(found, func(p evidence.Citation) bool { return p.Path != "" }); i >= 0 {
		if i > 0 { // a note says why, the code says how
			d.say("In the code, %s comes first:", citationLine(d, found[i]))
			rest = slices.Delete(slices.Clone(rest), i-1, i)
		}
		d.show(found[i].Language, excerpt(explanation{w}, found[i], 12))
	}
	var lines []string
	for _, p := range rest {
		lines = append(lines, citationLine(d, p))
	}
	if len(lines) > 0 {
		d.say("Other matches:")
		d.list(lines)
	}
	return d.answer(question.Citations, 0.5*confidence), nil // the first of them is what is meant in two of five cases
}

// cited are the citations that a search finds: few notes, and none that may well be about something else, unless there is nothing
// besides.
func (w *asked) cited(ctx context.Context, words string) ([]evidence.Citation, float64, error) {
	const maxNotes = 2
	all, confidence, err := w.Library.Search(ctx, words, 3*maxCitations)
	if err != nil {
		return nil, 0, err
	}
	notes := 0
	found := slices.DeleteFunc(slices.Clone(all), func(p evidence.Citation) bool {
		if p.Path != "" {
			return false
		}
		if w.Library.Hits[p.ID].Weak {
			return true
		}
		notes++
		return notes > maxNotes
	})
	if len(found) == 0 {
		found = all
	}
	return found[:min(maxCitations, len(found))], confidence, nil
}

// deeds are past participles that do not end in "ed".
var deeds = map[string]bool{
	"built": true, "chosen": true, "done": true, "drawn": true, "found": true, "held": true, "kept": true, "made": true, "read": true,
	"sent": true, "set": true, "shown": true, "split": true, "taken": true, "thrown": true, "written": true,
}

// cutDeed splits "total price computed", what is left of "where is the total price computed?", into the thing and what is
// done to it. Code seldom names the deed. deed is "" when there is none.
func cutDeed(words string) (thing, deed string) {
	at := strings.LastIndexByte(words, ' ')
	if at < 0 {
		return words, ""
	}
	if last := strings.ToLower(words[at+1:]); !deeds[last] && (!strings.HasSuffix(last, "ed") || len(last) < 5) {
		return words, ""
	}
	return words[:at], words[at+1:]
}

// looksLikeName reports whether a word is spelled as names of code are and words of a language are not.
func looksLikeName(word string) bool {
	return question.IsName(word) && strings.ContainsFunc(word[min(1, len(word)):], func(r rune) bool { return r == '_' || r == '.' || unicode.IsUpper(r) })
}

func citationLine(d *builder, p evidence.Citation) string {
	if p.Path == "" {
		return fmt.Sprintf("What was remembered, %s %s", quote(p.Text), d.cite(p))
	}
	line := fmt.Sprintf("%s in %s", code(p.Name), p.Place())
	if strings.HasSuffix(p.Path, strings.TrimSuffix(p.Name, fmt.Sprintf(":%d", p.Line))) { // it has no name
		line = code(p.Place())
	}
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
