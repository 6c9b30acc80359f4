package answer

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/wording"
)

// related answers "what is related to X": callers, callees and code that reads alike.
type related struct{ *asked }

func (w related) answer(ctx context.Context) (*Answer, error) {
	found, err := w.subject(ctx)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return w.citations(ctx)
	}
	shown, _ := best(found)
	p := shown[0]
	d := &builder{}
	d.say("%s is %s in %s %s.", code(p.Name), withArticle(thing(p)), p.Place(), d.cite(p))
	if err := w.neighbours(ctx, d, p); err != nil {
		return nil, err
	}
	if len(d.blocks) == 1 {
		d.say("Nothing that calls it, is called by it or reads like it was found.")
		return d.answer(w.q.Intent, 0.5), nil
	}
	return d.answer(w.q.Intent, 0.75), nil
}

func (w related) neighbours(ctx context.Context, d *builder, p evidence.Citation) error {
	const each = 5
	callers, total, err := w.Library.Callers(ctx, lastPart(p.Name), each)
	if err != nil {
		return err
	}
	links, _, err := w.Library.Neighbours(ctx, p, evidence.ToCallees, each)
	if err != nil {
		return err
	}
	var callees []evidence.Citation
	for _, l := range links {
		callees = append(callees, l.Citation)
	}
	similar, err := w.Library.Similar(ctx, p, each)
	if err != nil {
		return err
	}
	d.group(fmt.Sprintf("Called by name in %s:", wording.Count(total, "place", "places")), callers)
	d.group("It calls:", callees)
	d.group("Similar by its words:", similar)
	return w.describeRecords(ctx, d, p)
}

func (d *builder) group(title string, list []evidence.Citation) {
	if len(list) == 0 {
		return
	}
	d.say("%s", title)
	var lines []string
	for _, p := range list {
		lines = append(lines, fmt.Sprintf("%s in %s %s", code(p.Name), p.Place(), d.cite(p)))
	}
	d.list(lines)
}
