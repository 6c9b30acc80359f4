package answer

import (
	"cmp"
	"context"
	"fmt"
)

// listing answers "list functions in X" and "what is in package X". A subject that is no place but a name is asked
// for like a definition.
func (w *Writer) listing(ctx context.Context, q Question) (*Answer, error) {
	path, ok := w.Library.Locate(q.Subject)
	if q.Here {
		p, here := w.Library.Here(ctx)
		path, ok = p.Path, here
	}
	if !ok {
		return w.define(ctx, Question{Text: q.Text, Intent: Definition, Subject: q.Subject})
	}
	list, total, err := w.Library.List(ctx, path, q.Types, maxOutline)
	if err != nil {
		return nil, err
	}
	if total == 0 {
		return w.abstain(q, fmt.Sprintf("definitions in %s", code(path))), nil
	}
	d := &draft{}
	d.say("%s has %s:", code(cmp.Or(path, ".")), number(total, "definition", "definitions"))
	var lines []string
	for _, p := range list {
		lines = append(lines, fmt.Sprintf("%s in %s %s", code(cmp.Or(p.Signature, p.Name)), p.Place(), d.cite(p)))
	}
	if total > len(list) {
		lines = append(lines, fmt.Sprintf("and %d more", total-len(list)))
	}
	d.list(lines)
	return d.answer(q.Intent, 0.9), nil
}
