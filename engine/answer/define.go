package answer

import (
	"context"
	"fmt"
)

// define answers "what is X" and "where is X defined".
func (w *Writer) define(ctx context.Context, q Question) (*Answer, error) {
	all, err := w.subject(ctx, q)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return w.passages(ctx, q)
	}
	d := &draft{}
	shown, more := best(all)
	if len(shown) > 1 {
		w.describeMany(d, q, shown, more)
		return d.answer(q.Intent, 0.7), nil
	}
	return w.defineOne(ctx, d, q, shown[0], more)
}

func (w *Writer) defineOne(ctx context.Context, d *draft, q Question, p Passage, more int) (*Answer, error) {
	w.describe(d, p)
	if more > 0 {
		d.say("%s of this name %s not shown: tests, generated, vendored or example code.",
			number(more, "other definition", "other definitions"), isAre(more))
	}
	if err := w.describeCallers(ctx, d, p); err != nil {
		return nil, err
	}
	if err := w.describeRecords(ctx, d, p); err != nil {
		return nil, err
	}
	return d.answer(q.Intent, 0.9), nil
}

// describe says what a definition is and where.
func (w *Writer) describe(d *draft, p Passage) {
	d.say("%s is %s defined in %s %s.", code(p.Name), withArticle(thing(p)), p.Place(), d.cite(p))
	if p.Signature != "" {
		d.show(p.Language, p.Signature)
	}
	if p.Doc != "" {
		d.say("Its comment says: %s %s.", quote(p.Doc), d.cite(p))
	}
}

func (w *Writer) describeMany(d *draft, q Question, shown []Passage, more int) {
	d.say("There are %d definitions of %s:", len(shown)+more, code(q.Subject))
	var lines []string
	for _, p := range shown {
		line := fmt.Sprintf("%s, %s in %s", code(p.Name), withArticle(thing(p)), p.Place())
		if p.Doc != "" {
			line += ": " + quote(p.Doc)
		}
		lines = append(lines, line+" "+d.cite(p))
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	d.list(lines)
}

func (w *Writer) describeCallers(ctx context.Context, d *draft, p Passage) error {
	callers, total, err := w.Library.Callers(ctx, lastPart(p.Name), 3)
	if err != nil || total == 0 {
		return err
	}
	var names []string
	for _, c := range callers {
		names = append(names, code(c.Name)+" "+d.cite(c))
	}
	among := ""
	if total > len(callers) {
		among = ", among them"
	}
	d.say("Something of its name is called in %s%s %s.", number(total, "place", "places"), among, and(names))
	return nil
}

// describeRecords says what is remembered about a passage.
func (w *Writer) describeRecords(ctx context.Context, d *draft, p Passage) error {
	records, err := w.Library.Records(ctx, p)
	if err != nil {
		return err
	}
	for _, r := range records[:min(3, len(records))] {
		d.say("Remembered about it: %s %s.", quote(r.Text), d.cite(r))
	}
	return nil
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
