package answer

import (
	"context"
	"fmt"
	"slices"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
)

// Elsewhere answers a question, for which there is nothing here but near names at best, with what the search server of the team has: code of other repositories, or
// parts of this one that are not checked out. It returns nil when there is no server, or nothing plausible on it.
func (w *Writer) Elsewhere(ctx context.Context, q question.Question) (*Answer, error) {
	switch q.Intent {
	case question.Definition, question.Usage, question.Explanation, question.Citations:
	default:
		return nil, ctx.Err() // of the history, the settings and the people of another repository a search tells nothing
	}
	words := q.Subject
	if words == "" {
		return nil, ctx.Err()
	}
	found, sure, err := w.Library.Elsewhere(ctx, words, maxCitations)
	if err != nil || len(found) == 0 || sure < thin {
		return nil, err
	}
	if question.IsName(words) {
		found = slices.DeleteFunc(found, func(p evidence.Citation) bool { return lastPart(p.Name) != lastPart(words) })
		if len(found) == 0 {
			return nil, nil
		}
	}
	d := &builder{}
	d.say("Nothing here answers this. The team's search server has this about %s, in code that is not here:", code(words))
	var rows []string
	for _, p := range found {
		rows = append(rows, elsewhereLine(w.Library, d, p))
	}
	d.list(rows)
	first := found[0]
	d.show(first.Language, head(first.Code(), 12))
	return d.answer(question.Citations, 0.5*sure), nil
}

func elsewhereLine(l *evidence.Workspace, d *builder, p evidence.Citation) string {
	line := fmt.Sprintf("%s in %s:%s", code(p.Name), l.Hits[p.ID].Repository, p.Place())
	if p.Doc != "" {
		line += ": " + quote(p.Doc)
	}
	return line + " " + d.cite(p)
}
