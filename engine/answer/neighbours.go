package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// unsure is the confidence below which a neighbour is only perhaps one.
const unsure = 0.45

// about says that a name has further definitions.
func (d *builder) about(p evidence.Citation, others int) {
	if others > 0 {
		d.say("The name has %s more; this is about the one in %s %s.", wording.Count(others, "definition", "definitions"), p.Place(), d.cite(p))
	}
}

// callees answers "what does X call".
type callees struct{ *asked }

func (w callees) answer(ctx context.Context) (*Answer, error) {
	p, others, ok, err := w.one(ctx)
	if err != nil {
		return nil, err
	}
	if !ok {
		return w.unknown(ctx, "a definition of")
	}
	list, total, err := w.Library.Neighbours(ctx, p, evidence.ToCallees, maxOutline)
	if err != nil {
		return nil, err
	}
	d := &builder{}
	if total == 0 {
		d.say("%s in %s %s calls nothing that is defined here.", code(p.Name), p.Place(), d.cite(p))
		d.about(p, others)
		return d.answer(w.q.Intent, 0.7), nil
	}
	d.say("%s in %s %s calls %s that %s defined here: %s.", code(p.Name), p.Place(), d.cite(p), wording.Count(total, "thing", "things"), isAre(total), someNames(list, total))
	d.list(linkLines(d, list, total))
	d.about(p, others)
	return d.answer(w.q.Intent, 0.85), nil
}

// tests answers "which tests cover X" and "is X tested".
type tests struct{ *asked }

func (w tests) answer(ctx context.Context) (*Answer, error) {
	p, others, ok, err := w.one(ctx)
	if err != nil {
		return nil, err
	}
	if !ok || p.Type == "code" { // the section of a document has no tests
		if a, err := w.aboutWords(ctx); a != nil || err != nil {
			return a, err
		}
		return w.unknown(ctx, "a definition of")
	}
	const weighed = 200
	list, total, err := w.Library.Neighbours(ctx, p, evidence.ToTests, weighed)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b evidence.Link) int { return testRank(a, p) - testRank(b, p) })
	list = list[:min(maxOutline, len(list))]
	d := &builder{}
	if total == 0 || list[0].File {
		if ok, err := w.byName(ctx, d, p); err != nil || ok {
			d.about(p, others)
			return d.answer(w.q.Intent, 0.55), err
		}
	}
	if total == 0 {
		d.say("No test of %s in %s %s was found: nothing in a test file calls it or is named after it. It may be tested through what calls it.",
			code(p.Name), p.Place(), d.cite(p))
		d.about(p, others)
		return d.answer(w.q.Intent, 0.5), nil
	}
	yes := ""
	if !list[0].File && yesOrNo.MatchString(w.q.Text) {
		yes = "Yes, "
	}
	besides := ""
	if total > 1 {
		besides = fmt.Sprintf(" and by %d more", total-1)
	}
	d.say("%s%s is tested by %s %s%s.", yes, code(p.Name), testPlace(list[0]), d.cite(list[0].Citation), besides)
	if total > 1 {
		d.list(linkLines(d, list, total))
	}
	d.say("It is defined in %s %s.", p.Place(), d.cite(p))
	d.about(p, others)
	return d.answer(w.q.Intent, 0.85), nil
}

// testRank is 0 for a test that is named after a definition, 1 for others.
func testRank(test evidence.Link, p evidence.Citation) int {
	plain := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
	if test.File {
		return 1
	}
	for _, part := range strings.Split(test.Name, ".") {
		if rest, ok := strings.CutPrefix(plain(part), "test"); ok && strings.HasPrefix(rest, plain(lastPart(p.Name))) {
			return 0
		}
	}
	return 1
}

// yesOrNo is how a question begins that asks whether something is so.
var yesOrNo = lazyregexp.New(`(?i)^\s*(?:is|are|was|were|do|does|did|has|have|can|any)\b`)

// aboutWords answers for words that are no name, with the tests that a search for them finds; nil when it finds none.
func (w tests) aboutWords(ctx context.Context) (*Answer, error) {
	if w.q.Here {
		return nil, nil
	}
	const pool = 30
	found, _, err := w.Library.Search(ctx, "test "+w.q.Subject, pool)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(p evidence.Citation) bool {
		return !p.Test || p.Type != "function" && p.Type != "method" || !namedAfter(p, w.q.Subject)
	})
	if len(found) == 0 {
		return nil, nil
	}
	d := &builder{}
	shown := found[:min(maxListed, len(found))]
	d.say("Nothing is called %s. By their words, %s about it, %s first.", code(w.q.Subject),
		map[bool]string{true: "one test is", false: fmt.Sprintf("%d tests are", len(shown))}[len(shown) == 1], code(shown[0].Name))
	var rows []string
	for _, p := range shown {
		row := fmt.Sprintf("%s in %s", code(p.Name), p.Place())
		if p.Doc != "" {
			row += ": " + quote(p.Doc)
		}
		rows = append(rows, row+" "+d.cite(p))
	}
	d.list(rows)
	return d.answer(w.q.Intent, 0.5), nil
}

// namedAfter reports whether a citation's name or path has one of the words, in singular or plural.
func namedAfter(p evidence.Citation, words string) bool {
	const shortest = 4 // of a word that tells something
	in := strings.ToLower(p.Name + " " + p.Path)
	return slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(word string) bool {
		word = question.Singular(strings.Trim(word, ",.;:'\"`"))
		return len(word) >= shortest && strings.Contains(in, word)
	})
}

// byName answers with the tests that call something of a definition's name, when nothing surer is known.
func (w tests) byName(ctx context.Context, d *builder, p evidence.Citation) (found bool, err error) {
	var callers []evidence.Citation
	name := ""
	for _, name = range []string{lastPart(p.Name), lastPart(w.q.Subject)} { // which may differ in their letter case: a type and a constant
		if callers, _, err = w.Library.Callers(ctx, name, maxHistory); err != nil {
			return false, err
		}
		if callers = slices.DeleteFunc(callers, func(c evidence.Citation) bool { return !c.Test }); len(callers) > 0 {
			break
		}
	}
	if len(callers) == 0 {
		return false, nil
	}
	d.say("Perhaps: %s in tests and examples %s something called %s, and it may be %s in %s %s.", wording.Count(len(callers), "place", "places"),
		map[bool]string{true: "calls", false: "call"}[len(callers) == 1], code(name), code(p.Name), p.Place(), d.cite(p))
	d.list(d.callLines(callers[:min(maxListed, len(callers))], len(callers), name))
	return true, nil
}

// testPlace names a test. A test file that is only named after a file proves little, and is named as a file.
func testPlace(l evidence.Link) string {
	if l.File {
		return fmt.Sprintf("%s, it seems: %s", code(l.Path), l.Why)
	}
	return fmt.Sprintf("%s in %s", code(l.Name), l.Place())
}

// inheritance answers "what implements X" and "what does X inherit from".
type inheritance struct {
	*asked
	to evidence.Direction // ToSubtypes or ToSupertypes
}

func (w inheritance) answer(ctx context.Context) (*Answer, error) {
	nothing, single := "Nothing here inherits from %s (%s) or implements it %s.", "subtype"
	if w.to == evidence.ToSupertypes {
		nothing, single = "%s (%s) names no supertype that is defined here %s.", "supertype"
	}
	p, ok, err := evidence.Citation{}, false, error(nil)
	if w.q.Here {
		p, ok = w.Library.Here(ctx)
	} else {
		p, ok, err = w.classNamed(ctx, w.q.Subject)
	}
	if err != nil {
		return nil, err
	}
	if !ok {
		return w.unknown(ctx, "a type")
	}
	list, total, err := w.Library.Neighbours(ctx, p, w.to, maxOutline)
	if err != nil {
		return nil, err
	}
	d := &builder{}
	if total == 0 {
		d.say(nothing, code(p.Name), p.Place(), d.cite(p))
		if p.Signature != "" {
			d.show(p.Language, p.Signature)
		}
		return d.answer(w.q.Intent, 0.6), nil
	}
	d.say("%s (%s) %s has %s: %s.", code(p.Name), p.Place(), d.cite(p), countTypes(list, total, single, plural(single)), someNames(list, total))
	d.list(linkLines(d, list, total))
	return d.answer(w.q.Intent, 0.85), nil
}

// countTypes counts types, those of tests apart when all are at hand.
func countTypes(list []evidence.Link, total int, single, plural string) string {
	aside := 0
	for _, l := range list {
		if l.Test {
			aside++
		}
	}
	if aside == 0 || aside == total || len(list) < total {
		return wording.Count(total, single, plural)
	}
	return fmt.Sprintf("%s and %d in tests, examples, or generated or foreign code", wording.Count(total-aside, single, plural), aside)
}

// someNames names the first links.
func someNames(list []evidence.Link, total int) string {
	const shown = 6
	var names []string
	for _, l := range list[:min(shown, len(list))] {
		names = append(names, code(l.Name))
	}
	return andMore(names, total)
}

func linkLines(d *builder, list []evidence.Link, total int) []string {
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
		lines = append(lines, line+" "+d.cite(l.Citation))
	}
	return withRest(lines, total)
}
