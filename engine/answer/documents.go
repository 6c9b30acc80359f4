package answer

import (
	"context"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

const (
	maxSection     = 6000 // bytes of a section that is about one thing
	maxSectionRows = 18   // lines of a section that an answer shows
)

// asksHow are the beginnings of questions that documents answer rather than code.
var asksHow = lazyregexp.New(`(?i)^\W*(?:how\s+(?:do|can|should|could|would|to)\b|(?:is|are)\s+(?:it\s+possible|there\s+(?:a|any|an)\s+(?:way|option|setting|support))\b|can\s+(?:i|we|you|one)\b|what(?:'s|\s+is)\s+the\s+(?:best|right|recommended|correct|proper)\s+way\b)`)

// byDocument answers "how do I X" with the section of a document that has all the words, most of them in its heading. It
// returns nil when there is none.
func (w facts) byDocument(ctx context.Context) (*Answer, error) {
	if !asksHow.MatchString(w.q.Text) {
		return nil, ctx.Err()
	}
	words := explanation(w).contentOf(w.q.Text)
	if len(words) == 0 {
		return nil, ctx.Err()
	}
	var best evidence.Section
	most := 0
	for _, f := range evidence.Documents(w.Library) {
		for _, s := range evidence.Sections(w.Library, f) {
			title := evidence.Stems(s.Title)
			own := 0
			for _, word := range words {
				if title[word] {
					own++
				}
			}
			if 2*own <= len(words) || len(s.Text) > maxSection || evidence.IsContents(s.Text) || !hasAll(evidence.Stems(s.Title+" "+s.Text), words) {
				continue
			}
			if others := len(explanation(w).contentOf(s.Title)) - own; others > own {
				continue
			}
			if score := 20*own - len(title); score > most {
				best, most = s, score
			}
		}
	}
	if most == 0 {
		return nil, ctx.Err()
	}
	d := &builder{}
	if !w.showSection(ctx, d, best) {
		return nil, ctx.Err()
	}
	return d.answer(question.Facts, 0.7), nil
}

// showSection shows a section of a document.
func (w facts) showSection(ctx context.Context, d *builder, s evidence.Section) bool {
	l, ok, err := w.Library.LineAt(ctx, s.File, s.Line-1)
	if err != nil || !ok {
		return false
	}
	d.say("The section %s of %s:%d is about this %s:", quote(s.Title), s.File.Path, s.Line, d.cite(l.Citation))
	d.show(s.File.Language, head(s.Text, maxSectionRows))
	return true
}
