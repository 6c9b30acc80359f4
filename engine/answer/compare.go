package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/wording"
)

// comparison answers "what is the difference between X and Y" for two definitions: what they share, and what each calls,
// inherits from and says of itself.
type comparison struct{ *asked }

func (w comparison) answer(ctx context.Context) (*Answer, error) {
	var sides [2]evidence.Citation
	for i, name := range []string{w.q.Subject, w.q.Other} {
		p, _, ok, err := w.with(question.Question{Subject: name, Here: question.IsHere(name)}).one(ctx)
		if err != nil {
			return nil, err
		}
		if !ok {
			if question.IsName(name) {
				return w.with(question.Question{Intent: w.q.Intent, Subject: name}).abstain("a definition of " + code(name)), nil
			}
			return bySearch(ctx, w.asked)
		}
		sides[i] = p
	}
	a, b := sides[0], sides[1]
	d := &builder{}
	if a.ID == b.ID {
		d.say("Both are %s in %s %s.", code(a.Name), a.Place(), d.cite(a))
		return d.answer(w.q.Intent, 0.7), nil
	}
	facts, err := w.contrast(ctx, a, b)
	if err != nil {
		return nil, err
	}
	d.say("%s%s.", side(d, a, b), facts.lead(a, b))
	for _, p := range sides {
		text := fmt.Sprintf("%s in %s, %s", code(p.Name), p.Place(), wording.Count(lineCount(p.Text), "line", "lines"))
		if p.Doc != "" {
			text += ": " + quote(p.Doc)
		}
		d.say("%s %s.", text, d.cite(p))
		if p.Signature != "" {
			d.show(p.Language, p.Signature)
		}
	}
	facts.tell(d, a, b)
	return d.answer(w.q.Intent, 0.8), nil
}

// side says what two definitions are, side by side.
func side(d *builder, a, b evidence.Citation) string {
	what := "a " + thing(a) + " and a " + thing(b)
	if thing(a) == thing(b) {
		what = "both " + plural(thing(a))
	}
	where := fmt.Sprintf(" in %s %s and %s %s", a.Path, d.cite(a), b.Path, d.cite(b))
	if a.Path == b.Path {
		where = fmt.Sprintf(" in %s %s %s", a.Path, d.cite(a), d.cite(b))
	}
	return fmt.Sprintf("%s and %s are %s%s", code(a.Name), code(b.Name), what, where)
}

func plural(noun string) string {
	if strings.HasSuffix(noun, "s") {
		return noun + "es"
	}
	return noun + "s"
}

// A contrast is what two definitions lead to, together and apart.
type contrast struct {
	supertypes, callees shares
	calls               string // "`A` calls `B`"
}

// shares are the definitions that both, only the first, and only the second lead to.
type shares struct{ both, first, second []evidence.Link }

func (w comparison) contrast(ctx context.Context, a, b evidence.Citation) (contrast, error) {
	var c contrast
	for _, s := range []struct {
		to   evidence.Direction
		into *shares
	}{{evidence.ToSupertypes, &c.supertypes}, {evidence.ToCallees, &c.callees}} {
		first, _, err := w.Library.Neighbours(ctx, a, s.to, maxOutline)
		if err != nil {
			return c, err
		}
		second, _, err := w.Library.Neighbours(ctx, b, s.to, maxOutline)
		if err != nil {
			return c, err
		}
		*s.into = share(sure(first), sure(second))
	}
	for _, l := range c.callees.first {
		if l.ID == b.ID {
			c.calls = fmt.Sprintf("%s calls %s", code(a.Name), code(b.Name))
		}
	}
	for _, l := range c.callees.second {
		if l.ID == a.ID {
			c.calls = fmt.Sprintf("%s calls %s", code(b.Name), code(a.Name))
		}
	}
	return c, nil
}

// sure leaves out links by a name that may mean several things: they tell nothing apart.
func sure(links []evidence.Link) []evidence.Link {
	return slices.DeleteFunc(links, func(l evidence.Link) bool { return l.Sure < unsure })
}

func share(first, second []evidence.Link) shares {
	var s shares
	has := func(list []evidence.Link, l evidence.Link) bool {
		return slices.ContainsFunc(list, func(o evidence.Link) bool { return o.ID == l.ID })
	}
	for _, l := range first {
		if has(second, l) {
			s.both = append(s.both, l)
		} else {
			s.first = append(s.first, l)
		}
	}
	for _, l := range second {
		if !has(first, l) {
			s.second = append(s.second, l)
		}
	}
	return s
}

// lead is the difference in a few words.
func (c contrast) lead(a, b evidence.Citation) string {
	var parts []string
	if len(c.supertypes.both) > 0 {
		parts = append(parts, "both inherit from "+someNames(c.supertypes.both, len(c.supertypes.both)))
	}
	few := func(list []evidence.Link) bool { return len(list) > 0 && len(list) <= 3 }
	switch {
	case c.calls != "":
		parts = append(parts, c.calls)
	case few(c.callees.first) && few(c.callees.second):
		parts = append(parts, fmt.Sprintf("%s calls %s where %s calls %s", code(a.Name), someNames(c.callees.first, len(c.callees.first)),
			code(b.Name), someNames(c.callees.second, len(c.callees.second))))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts, "; ")
}

// tell lists what only one of them, and what both lead to.
func (c contrast) tell(d *builder, a, b evidence.Citation) {
	var rows []string
	row := func(what string, list []evidence.Link) {
		var names []string
		for _, l := range list[:min(maxListed, len(list))] {
			names = append(names, code(l.Name)+" "+d.cite(l.Citation))
		}
		if len(names) > 0 {
			rows = append(rows, what+" "+andMore(names, len(list)))
		}
	}
	row("Both inherit from", c.supertypes.both)
	row("Only "+code(a.Name)+" inherits from", c.supertypes.first)
	row("Only "+code(b.Name)+" inherits from", c.supertypes.second)
	row("Both call", c.callees.both)
	row("Only "+code(a.Name)+" calls", c.callees.first)
	row("Only "+code(b.Name)+" calls", c.callees.second)
	if len(rows) == 0 {
		d.say("Neither calls or inherits from anything that is defined here and that would tell them apart: read their text.")
		return
	}
	d.list(rows)
}

func lineCount(s string) int { return strings.Count(strings.TrimRight(s, "\n"), "\n") + 1 }
