package answer

import (
	"context"
	"fmt"
	"slices"
)

// unsure is the confidence below which a neighbour is only perhaps one.
const unsure = 0.45

// one finds the definition that a question about neighbours is about, and how many others have its name.
func (w *Writer) one(ctx context.Context, q Question) (p Passage, others int, ok bool, err error) {
	found, err := w.subject(ctx, q)
	if err != nil || len(found) == 0 {
		return Passage{}, 0, false, err
	}
	shown, _ := best(found)
	shown = withBodies(shown)
	return shown[0], len(shown) - 1, true, nil
}

// withBodies leaves the longest of several definitions that one file has of one name: the others are overloads, or
// declare what it defines.
func withBodies(list []Passage) []Passage {
	var out []Passage
	for _, p := range list {
		i := slices.IndexFunc(out, func(o Passage) bool { return o.Path == p.Path && o.Name == p.Name })
		switch {
		case i < 0:
			out = append(out, p)
		case len(p.Text) > len(out[i].Text):
			out[i] = p
		}
	}
	return out
}

// about says that a name has further definitions.
func (d *draft) about(p Passage, others int) {
	if others > 0 {
		d.say("The name has %s more; this is about the one in %s %s.", number(others, "definition", "definitions"), p.Place(), d.cite(p))
	}
}

// callees answers "what does X call".
func (w *Writer) callees(ctx context.Context, q Question) (*Answer, error) {
	p, others, ok, err := w.one(ctx, q)
	if err != nil {
		return nil, err
	}
	if !ok {
		return w.unknown(ctx, q, "a definition of")
	}
	list, total, err := w.Library.Neighbours(ctx, p, ToCallees, maxOutline)
	if err != nil {
		return nil, err
	}
	d := &draft{}
	if total == 0 {
		d.say("%s in %s %s calls nothing that is defined here.", code(p.Name), p.Place(), d.cite(p))
		d.about(p, others)
		return d.answer(q.Intent, 0.7), nil
	}
	d.say("%s in %s %s calls %s that %s defined here: %s.", code(p.Name), p.Place(), d.cite(p), number(total, "thing", "things"), isAre(total), someNames(list, total))
	d.list(linkLines(d, list, total))
	d.about(p, others)
	return d.answer(q.Intent, 0.85), nil
}

// tests answers "which tests cover X" and "is X tested".
func (w *Writer) tests(ctx context.Context, q Question) (*Answer, error) {
	p, others, ok, err := w.one(ctx, q)
	if err != nil {
		return nil, err
	}
	if !ok {
		return w.unknown(ctx, q, "a definition of")
	}
	list, total, err := w.Library.Neighbours(ctx, p, ToTests, maxOutline)
	if err != nil {
		return nil, err
	}
	d := &draft{}
	if total == 0 || list[0].File {
		if ok, err := w.testsByName(ctx, d, p); err != nil || ok {
			d.about(p, others)
			return d.answer(q.Intent, 0.55), err
		}
	}
	if total == 0 {
		d.say("No test of %s in %s %s was found: nothing in a test file calls it or is named after it. It may be tested through what calls it.",
			code(p.Name), p.Place(), d.cite(p))
		d.about(p, others)
		return d.answer(q.Intent, 0.5), nil
	}
	yes := "Yes"
	if list[0].File {
		yes = "Perhaps"
	}
	d.say("%s, %s is tested by %s%s%s.", yes, code(p.Name), testPlace(list[0]), " "+d.cite(list[0].Passage), andMore(total-1))
	if total > 1 {
		d.list(linkLines(d, list, total))
	}
	d.say("It is defined in %s %s.", p.Place(), d.cite(p))
	d.about(p, others)
	return d.answer(q.Intent, 0.85), nil
}

// testsByName answers with the tests that call something of a definition's name, when nothing surer is known.
func (w *Writer) testsByName(ctx context.Context, d *draft, p Passage) (bool, error) {
	name := lastPart(p.Name)
	callers, _, err := w.Library.Callers(ctx, name, maxHistory)
	if err != nil {
		return false, err
	}
	callers = slices.DeleteFunc(callers, func(c Passage) bool { return !c.Test })
	if len(callers) == 0 {
		return false, nil
	}
	d.say("Perhaps: %s in tests and examples %s something called %s, and it may be %s in %s %s.", number(len(callers), "place", "places"),
		map[bool]string{true: "calls", false: "call"}[len(callers) == 1], code(name), code(p.Name), p.Place(), d.cite(p))
	d.list(w.callLines(d, callers[:min(maxListed, len(callers))], len(callers), name))
	return true, nil
}

// testPlace names a test. A test file that is only named after a file proves little, and is named as a file.
func testPlace(l Link) string {
	if l.File {
		return fmt.Sprintf("%s, it seems: %s", code(l.Path), l.Why)
	}
	return fmt.Sprintf("%s in %s", code(l.Name), l.Place())
}

// subtypes answers "what implements X".
func (w *Writer) subtypes(ctx context.Context, q Question) (*Answer, error) {
	return w.types(ctx, q, ToSubtypes, "Nothing here inherits from %s (%s) or implements it %s.", "%s (%s) %s has %s: %s.", "subtype", "subtypes")
}

// supertypes answers "what does X inherit from".
func (w *Writer) supertypes(ctx context.Context, q Question) (*Answer, error) {
	return w.types(ctx, q, ToSupertypes, "%s (%s) names no supertype that is defined here %s.", "%s (%s) %s has %s: %s.", "supertype", "supertypes")
}

func (w *Writer) types(ctx context.Context, q Question, to Direction, nothing, some, single, plural string) (*Answer, error) {
	p, ok, err := Passage{}, false, error(nil)
	if q.Here {
		p, ok = w.Library.Here(ctx)
	} else {
		p, ok, err = w.classNamed(ctx, q.Subject)
	}
	if err != nil {
		return nil, err
	}
	if !ok {
		return w.unknown(ctx, q, "a type")
	}
	list, total, err := w.Library.Neighbours(ctx, p, to, maxOutline)
	if err != nil {
		return nil, err
	}
	d := &draft{}
	if total == 0 {
		d.say(nothing, code(p.Name), p.Place(), d.cite(p))
		if p.Signature != "" {
			d.show(p.Language, p.Signature)
		}
		return d.answer(q.Intent, 0.6), nil
	}
	d.say(some, code(p.Name), p.Place(), d.cite(p), number(total, single, plural), someNames(list, total))
	d.list(linkLines(d, list, total))
	return d.answer(q.Intent, 0.85), nil
}

// unknown answers for a subject that has no definition: with passages when it is described rather than named, else not
// at all.
func (w *Writer) unknown(ctx context.Context, q Question, what string) (*Answer, error) {
	if isName(q.Subject) {
		return w.abstain(q, what+" "+code(q.Subject)), ctx.Err()
	}
	return w.passages(ctx, q)
}

// someNames names the first links.
func someNames(list []Link, total int) string {
	const shown = 6
	var names []string
	for _, l := range list[:min(shown, len(list))] {
		names = append(names, code(l.Name))
	}
	if more := total - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return and(names)
}

func linkLines(d *draft, list []Link, total int) []string {
	var lines []string
	for _, l := range list {
		line := fmt.Sprintf("%s in %s", code(l.Name), l.Place())
		switch {
		case l.File:
			line = testPlace(l)
		case l.Sure < unsure:
			line += ", perhaps: " + l.Why
		case l.Doc != "":
			line += ": " + quote(firstSentence(l.Doc))
		}
		lines = append(lines, line+" "+d.cite(l.Passage))
	}
	if total > len(list) {
		lines = append(lines, fmt.Sprintf("and %d more", total-len(list)))
	}
	return lines
}

func andMore(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and by %d more", n)
}
