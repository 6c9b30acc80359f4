package answer

import (
	"context"
	"fmt"
)

// origin answers "why is X here", "when was X changed" and "who wrote X" from git and from memory.
func (w *Writer) origin(ctx context.Context, q Question) (*Answer, error) {
	found, err := w.subject(ctx, q)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		if path, ok := w.Library.Locate(q.Subject); ok && q.Subject != "" {
			return w.changes(ctx, Question{Text: q.Text, Intent: Origin, Subject: path})
		}
		return w.passages(ctx, q)
	}
	shown, _ := best(found)
	d := &draft{}
	confidence := 0.8
	if len(shown) > 1 {
		d.say("There are %d definitions of %s; this is about the first.", len(found), code(q.Subject))
		confidence = 0.6
	}
	p := shown[0]
	if p.Doc != "" {
		d.say("The comment of %s says: %s %s.", code(p.Name), quote(p.Doc), d.cite(p))
	}
	if err := w.describeRecords(ctx, d, p); err != nil {
		return nil, err
	}
	if err := w.age(ctx, d, p); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(d.blocks) == 0 {
			return w.withoutGit(ctx, q, err)
		}
		d.say("Git has no answer here (%s).", oneLine(err.Error()))
	}
	return d.answer(q.Intent, confidence), nil
}

// age says when the lines of a passage were changed, by whom and why.
func (w *Writer) age(ctx context.Context, d *draft, p Passage) error {
	h, err := w.Library.History(ctx, p)
	if err != nil {
		return err
	}
	switch {
	case !h.Tracked:
		d.say("%s in %s is not in git %s.", code(p.Name), p.Place(), d.cite(p))
		return nil
	case h.Commits == 0:
		d.say("The lines of %s in %s are not committed yet %s.", code(p.Name), p.Place(), d.cite(p))
		return nil
	}
	first := ""
	if h.Commits > 1 && !h.FirstCommit.IsZero() {
		first = fmt.Sprintf("; the oldest of its lines is from %s", h.FirstCommit.Format("2006-01-02"))
	}
	d.say("%s in %s was last changed %s by %s in %s (commit %s); its lines come from %s%s %s.",
		code(p.Name), p.Place(), w.ago(h.LastModified), h.LastAuthor, quote(h.LastSubject), short(h.LastCommit),
		number(h.Commits, "commit", "commits"), first, d.cite(p))
	return nil
}
