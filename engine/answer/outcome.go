package answer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// outcome answers "what happens when X" with the messages of errors and logs that have the words.
type outcome struct{ *asked }

// A message is a line with a text that the program says, and how many of the question's words it has.
type message struct {
	evidence.Line
	words int
}

func (w outcome) answer(ctx context.Context) (*Answer, error) {
	asked := explanation(w).contentOf(w.q.Subject)
	found, err := w.messages(ctx, asked)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return bySearch(ctx, w.asked)
	}
	const shown, before, after = 3, 4, 2
	first := found[0]
	d := &builder{}
	d.say("A message of the code fits these words best, in %s, %s %s; not verified by a model.", code(first.Name), first.At(), d.cite(first.Citation))
	lines := strings.Split(first.Citation.Text, "\n")
	if at := first.Number - first.First; at >= 0 && at < len(lines) {
		d.show(first.Language, strings.Join(lines[max(0, at-before):min(len(lines), at+after+1)], "\n"))
	}
	var rows []string
	for _, m := range found[1:min(1+shown, len(found))] {
		rows = append(rows, d.line(m.Line))
	}
	if len(rows) > 0 {
		d.say("Others with the words:")
		d.list(rows)
	}
	return d.answer(w.q.Intent, 0.4), nil
}

// messages are the lines of the program whose texts have most of the words, those with more of them first. The name of what is around
// a line may have some of the words, too.
func (w outcome) messages(ctx context.Context, words []string) ([]message, error) {
	if len(words) < 2 {
		return nil, nil
	}
	most := func(n int) bool { return n == len(words) || n > 2 && 10*n >= 7*len(words) }
	lines, err := w.Library.Lines(ctx, w.q.Subject, func(line string) bool {
		return !isComment(line) && countOf(words, evidence.Stems(textsIn(line))) > 0
	})
	if err != nil {
		return nil, err
	}
	var found []message
	for _, l := range lines {
		own := evidence.Stems(textsIn(l.Text))
		inText := countOf(words, own)
		for stem := range evidence.Stems(lastPart(l.Name)) {
			own[stem] = true
		}
		if n := countOf(words, own); !l.Test && !isProse(l.Path) && most(n) && 2*inText >= n && hasNumbers(own, words) && saysSo(l) {
			found = append(found, message{l, n})
		}
	}
	slices.SortStableFunc(found, func(a, b message) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(len(a.Text), len(b.Text)))
	})
	return found, nil
}

// hasNumbers reports whether all numbers among the words are there: an error 412 is no error 500.
func hasNumbers(in map[string]bool, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return word[0] >= '0' && word[0] <= '9' && !in[word] })
}

// countOf is how many of the words are there, or begin one that is, as log does logger.
func countOf(words []string, in map[string]bool) int {
	n := 0
	for _, word := range words {
		begun := func() bool {
			for other := range in {
				if len(word) > 2 && strings.HasPrefix(other, word) {
					return true
				}
			}
			return false
		}
		if in[word] || begun() {
			n++
		}
	}
	return n
}

var (
	docString  = lazyregexp.New(`^\s*[rRuU]?(?:"""|''')`)
	textInCode = lazyregexp.New(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`[^`]*`")
	failing    = lazyregexp.New(`(?i)raise|throw|panic|fatal|abort|bail|err|exception|warn|fail|reject|\blog`)
)

// textsIn are the texts between quotes of a line that are sentences rather than names.
func textsIn(line string) string {
	if docString.MatchString(line) {
		return ""
	}
	var texts []string
	for _, s := range textInCode.FindAllString(line, -1) {
		if len(strings.Fields(s)) > 1 {
			texts = append(texts, s)
		}
	}
	return strings.Join(texts, " ")
}

// saysSo reports whether a line, or one of the two before it, fails or logs something.
func saysSo(l evidence.Line) bool {
	lines := strings.Split(l.Citation.Text, "\n")
	at := l.Number - l.First
	if at < 0 || at >= len(lines) {
		return failing.MatchString(l.Text)
	}
	return slices.ContainsFunc(lines[max(0, at-2):at+1], failing.MatchString)
}
