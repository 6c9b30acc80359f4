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

// definition answers "what is X" and "where is X defined".
type definition struct{ *asked }

func (w definition) answer(ctx context.Context) (*Answer, error) {
	if path, ok := w.place(); ok && path != "" {
		if a, err := explanation(w).outlineOf(ctx, path); a != nil || err != nil {
			return a, err
		}
	}
	if asksForFile.MatchString(w.q.Text) {
		if a, err := explanation(w).file(ctx); a != nil || err != nil {
			return a, err
		}
	}
	all, err := w.subject(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(all, isDefinition) {
		if a, err := explanation(w).folder(ctx); a != nil || err != nil {
			return a, err
		}
		if a, err := w.declared(ctx); a != nil || err != nil {
			return a, err
		}
		if a, err := w.named(ctx); a != nil || err != nil {
			return a, err
		}
	}
	if len(all) == 0 {
		return w.citations(ctx)
	}
	d := &builder{}
	shown, more := best(all)
	if bodies := withoutPrototypes(shown); len(bodies) < len(shown) {
		shown, more = bodies, more+len(shown)-len(bodies)
	}
	if len(shown) > 1 {
		d.describeMany(w.q, shown, more)
		return d.answer(w.q.Intent, 0.7), nil
	}
	return w.tell(ctx, d, shown[0], more)
}

// withoutPrototypes leaves out declarations of C and C++ whose definitions are there, too.
func withoutPrototypes(list []evidence.Citation) []evidence.Citation {
	isPrototype := func(p evidence.Citation) bool {
		return (p.Language == "c" || p.Language == "cpp") && strings.HasSuffix(strings.TrimSpace(p.Text), ";") && !strings.Contains(p.Text, "{")
	}
	bodies := slices.DeleteFunc(slices.Clone(list), isPrototype)
	if len(bodies) == 0 {
		return list
	}
	return bodies
}

// isDefinition leaves out the headings of documents.
func isDefinition(p evidence.Citation) bool { return p.Type != "code" }

// named answers for a constant, a field or another name that is no definition of its own. It returns nil when there is none.
func (w definition) named(ctx context.Context) (*Answer, error) {
	if !question.IsName(w.q.Subject) {
		return nil, nil
	}
	all, err := w.Library.Declarations(ctx, w.q.Subject)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	d := &builder{}
	shown, more := best(all)
	if len(shown) > 1 {
		d.describeMany(w.q, shown, more)
		return d.answer(w.q.Intent, 0.7), nil
	}
	d.describe(shown[0])
	return d.answer(w.q.Intent, 0.9), nil
}

func (w definition) tell(ctx context.Context, d *builder, p evidence.Citation, more int) (*Answer, error) {
	d.describe(p)
	if more > 0 {
		d.say("%s of this name %s not shown: declarations, tests, generated, vendored or example code.",
			wording.Count(more, "other definition", "other definitions"), isAre(more))
	}
	if err := w.describeCallers(ctx, d, p); err != nil {
		return nil, err
	}
	if err := w.describeRecords(ctx, d, p); err != nil {
		return nil, err
	}
	return d.answer(w.q.Intent, 0.9), nil
}

// declared answers for a name that has no definition of its own in the index: a constant, a variable or a field, from
// the line that declares it. It returns nil when no line does.
func (w definition) declared(ctx context.Context) (*Answer, error) {
	name := lastPart(w.q.Subject)
	if !question.IsName(w.q.Subject) || !isSetting.MatchString(name) {
		return nil, nil
	}
	lines, err := w.usesOf(ctx, name)
	if err != nil {
		return nil, err
	}
	if name != w.q.Subject {
		owner := lastPart(strings.TrimSuffix(strings.TrimSuffix(w.q.Subject, name), "."))
		own := slices.DeleteFunc(slices.Clone(lines), func(l usedLine) bool { return lastPart(l.Name) != owner })
		if used := ofUse(lines, sets, declares); len(ofUse(own, sets, declares)) > 0 {
			lines = own
		} else if len(used) > 1 && !strings.EqualFold(owner, "env") {
			return nil, nil // which of them the owner has can't be told
		}
	}
	at := slices.IndexFunc(lines, func(l usedLine) bool { return l.use == declares && !l.Test && !isProse(l.Path) })
	if at < 0 {
		if used := ofUse(lines, sets, reads); slices.ContainsFunc(used, func(l usedLine) bool { return !l.Test && !isProse(l.Path) }) {
			return configured(w).answer(ctx)
		}
		return nil, nil
	}
	l := lines[at]
	d := &builder{}
	d.say("%s is declared in %s %s%s.", code(name), l.At(), d.cite(l.Citation), asValue(l.value))
	d.show(l.Language, strings.TrimSpace(l.Text))
	if comment := commentAbove(l.Line); comment != "" {
		d.say("Its comment says: %s %s.", quote(comment), d.cite(l.Citation))
	}
	if places := ofUse(slices.Delete(lines, at, at+1), sets, declares, reads); len(places) > 0 {
		d.say("It is also set or declared %s.", placesOf(d, places))
	}
	return d.answer(w.q.Intent, 0.8), nil
}

func asValue(value string) string {
	if value == "" || len(value) > 80 {
		return ""
	}
	return " as " + code(value)
}

// commentAbove is the comment that stands directly above a line in its citation, without its marks.
func commentAbove(l evidence.Line) string {
	lines := strings.Split(l.Citation.Text, "\n")
	at := l.Number - l.First
	var words []string
	for at--; at >= 0 && at < len(lines) && isComment(lines[at]); at-- {
		words = append([]string{strings.TrimLeft(strings.TrimSpace(lines[at]), "/#*-;! ")}, words...)
	}
	return strings.Join(words, " ")
}

// describe says what a definition is and where.
func (d *builder) describe(p evidence.Citation) {
	d.say("%s is %s defined in %s %s.", code(p.Name), withArticle(thing(p)), p.Place(), d.cite(p))
	if p.Signature != "" {
		d.show(p.Language, p.Signature)
	}
	d.tellComment(p)
}

// introduce says the same before the code itself is shown.
func (d *builder) introduce(p evidence.Citation) {
	d.say("%s is %s defined in %s %s.", code(p.Name), withArticle(thing(p)), p.Place(), d.cite(p))
	d.tellComment(p)
}

func (d *builder) tellComment(p evidence.Citation) {
	if p.Doc != "" {
		d.say("Its comment says: %s %s.", quote(p.Doc), d.cite(p))
	}
}

func (d *builder) describeMany(q question.Question, shown []evidence.Citation, more int) {
	hint := ""
	if i := slices.IndexFunc(shown, func(p evidence.Citation) bool { return p.Name != q.Subject && strings.Contains(p.Name, ".") }); i >= 0 {
		hint = "; ask for one by its full name, such as " + code(shown[i].Name)
	}
	d.say("There are %d definitions of %s%s:", len(shown)+more, code(q.Subject), hint)
	var lines []string
	for _, p := range shown {
		line := fmt.Sprintf("%s, %s in %s", code(p.Name), withArticle(thing(p)), p.Place())
		if p.Doc != "" {
			line += ": " + quote(p.Doc)
		}
		lines = append(lines, line+" "+d.cite(p))
	}
	d.list(withRest(lines, len(shown)+more))
}

func (w definition) describeCallers(ctx context.Context, d *builder, p evidence.Citation) error {
	callers, total, err := w.Library.Neighbours(ctx, p, evidence.ToCallers, 3)
	if err != nil || total == 0 {
		return err
	}
	var names []string
	for _, c := range callers {
		names = append(names, code(c.Name)+" "+d.cite(c.Citation))
	}
	d.say("It is called in %s: %s.", wording.Count(total, "place", "places"), andMore(names, total))
	return nil
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
