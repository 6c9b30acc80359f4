package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/wording"
)

// usage answers "who calls X". Of one definition it tells who calls just that; of several that share a name, who calls
// something of it.
type usage struct{ *asked }

func (w usage) answer(ctx context.Context) (*Answer, error) {
	definitions, err := w.subject(ctx)
	if err != nil {
		return nil, err
	}
	name := lastPart(w.q.Subject)
	if len(definitions) > 0 {
		name = lastPart(definitions[0].Name)
	}
	if !question.IsName(name) {
		return w.citations(ctx)
	}
	d := &builder{}
	chief, _ := best(definitions)
	subjects, err := w.called(ctx, chief, name)
	if err != nil {
		return nil, err
	}
	if len(subjects) == 1 {
		if a, err := w.callersOf(ctx, d, subjects[0], name); a != nil || err != nil {
			if a != nil && len(chief) > 1 {
				d.say("%s of this name %s not known to be called.", wording.Count(len(chief)-1, "other definition", "other definitions"), isAre(len(chief)-1))
				return d.answer(w.q.Intent, 0.8), nil
			}
			return a, err
		}
	}
	callers, total, err := w.Library.Callers(ctx, name, maxListed)
	if err != nil {
		return nil, err
	}
	if total == 0 {
		return w.mentions(ctx, d, name, definitions)
	}
	var links []evidence.Link
	for _, c := range callers {
		links = append(links, evidence.Link{Citation: c})
	}
	d.say("Something called %s is called in %s: %s.", code(name), wording.Count(total, "place", "places"), someNames(links, total))
	d.list(d.callLines(callers, total, name))
	switch len(definitions) {
	case 0:
		d.say("%s is not defined here.", code(name))
	case 1:
		d.say("%s is defined in %s %s.", code(definitions[0].Name), definitions[0].Place(), d.cite(definitions[0]))
	default:
		d.say("The calls are found by name, and %s has %d definitions, the first in %s %s.",
			code(name), len(definitions), definitions[0].Place(), d.cite(definitions[0]))
	}
	return d.answer(w.q.Intent, 0.8), nil
}

// called are the definitions of a name that something is known to call, where nothing else calls it; else all of them.
func (w usage) called(ctx context.Context, definitions []evidence.Citation, name string) ([]evidence.Citation, error) {
	if len(definitions) < 2 {
		return definitions, nil
	}
	_, all, err := w.Library.Callers(ctx, name, 1)
	if err != nil {
		return nil, err
	}
	var called []evidence.Citation
	for _, p := range definitions {
		links, total, err := w.Library.Neighbours(ctx, p, evidence.ToCallers, maxUses)
		if err != nil {
			return nil, err
		}
		if total > 0 && (total < all || slices.ContainsFunc(links, func(l evidence.Link) bool { return l.Sure < unsure })) {
			return definitions, nil
		}
		if total > 0 {
			called = append(called, p)
		}
	}
	return called, nil
}

// callersOf answers for one definition; nil when nothing is known to call it.
func (w usage) callersOf(ctx context.Context, d *builder, p evidence.Citation, name string) (*Answer, error) {
	links, total, err := w.Library.Neighbours(ctx, p, evidence.ToCallers, maxListed)
	if err != nil || total == 0 {
		return nil, err
	}
	var callers []evidence.Citation
	for _, l := range links {
		callers = append(callers, l.Citation)
	}
	d.say("%s is called in %s: %s.", code(p.Name), wording.Count(total, "place", "places"), someNames(links, total))
	d.list(d.callLines(callers, total, name))
	d.say("%s is defined in %s %s.", code(p.Name), p.Place(), d.cite(p))
	_, all, err := w.Library.Callers(ctx, name, 1)
	if err != nil {
		return nil, err
	}
	if w.Library.CallsItself(p) {
		d.say("It calls itself, too.")
		all--
	}
	if others := all - total; others > 0 {
		d.say("%s something called %s that is another definition, or is not known to be this one.",
			wording.Count(others, "more place calls", "more places call"), code(name))
	}
	return d.answer(w.q.Intent, 0.85), nil
}

func (d *builder) callLines(callers []evidence.Citation, total int, name string) []string {
	var lines []string
	for _, c := range callers {
		line := fmt.Sprintf("%s in %s", code(c.Name), c.Path)
		if n, text := lineWith(c, name); text != "" {
			line = fmt.Sprintf("%s, %s: %s", code(c.Name), fmt.Sprintf("%s:%d", c.Path, c.First+n), code(text))
		}
		lines = append(lines, line+" "+d.cite(c))
	}
	return withRest(lines, total)
}

// lineWith returns the first line of a caller that calls name, counted from zero, else the first that holds it. A caller of the
// same name holds it where it is defined, which is no call.
func lineWith(caller evidence.Citation, name string) (n int, line string) {
	own := -1
	if lastPart(caller.Name) == name {
		own = caller.Line - caller.First
	}
	for _, suffix := range []string{"(", ""} {
		i := 0
		for l := range strings.Lines(caller.Text) {
			if i != own && holds(l, name, suffix) && !isDefinitionLine(l, name) {
				return i, cut(strings.TrimSpace(l), 100)
			}
			i++
		}
	}
	return 0, ""
}

// holds reports whether line has the name, not as a part of a longer one, followed by suffix.
func holds(line, name, suffix string) bool {
	for rest := line; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(rest[:i])
		after := rest[i+len(name):]
		next, _ := utf8.DecodeRuneInString(after)
		if !evidence.IsNameRune(before) && !evidence.IsNameRune(next) && strings.HasPrefix(after, suffix) {
			return true
		}
		rest = after
	}
}

// isDefinitionLine reports whether a line defines the name rather than uses it.
func isDefinitionLine(line, name string) bool {
	for _, key := range []string{"func ", "def ", "class ", "function "} {
		if strings.Contains(line, key+name) {
			return true
		}
	}
	trimmed := strings.TrimSpace(line)
	return strings.HasPrefix(trimmed, "//") || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "*")
}

// mentions answers a question about uses when nothing calls the name: lines of code that have it.
func (w usage) mentions(ctx context.Context, d *builder, name string, definitions []evidence.Citation) (*Answer, error) {
	found, err := w.Library.Lines(ctx, name, func(line string) bool { return hasName(line, name) && !isComment(line) })
	if err != nil {
		return nil, err
	}
	var rows []string
	var mentioning []evidence.Line
	for _, l := range found {
		if defines(definitions, l) || isProse(l.Path) {
			continue
		}
		mentioning = append(mentioning, l)
		if len(rows) == maxListed {
			continue
		}
		rows = append(rows, code(l.Name)+" in "+d.line(l))
	}
	switch {
	case len(rows) > 0:
		d.say("No call of %s was found. It is mentioned in %s of %s:", code(name), wording.Count(len(mentioning), "line", "lines"), wording.Count(len(filesOf(mentioning)), "file", "files"))
		d.list(withRest(rows, len(mentioning)))
		return d.answer(w.q.Intent, 0.6), nil
	case len(definitions) > 0:
		p := definitions[0]
		d.say("Nothing: %s is defined in %s %s, and no call and no mention of it was found elsewhere.", code(p.Name), p.Place(), d.cite(p))
		return d.answer(w.q.Intent, 0.6), nil
	}
	return w.abstain("calls and mentions of " + code(name)), nil
}

// defines reports whether a line is the one that a definition's name stands in.
func defines(definitions []evidence.Citation, l evidence.Line) bool {
	return slices.ContainsFunc(definitions, func(p evidence.Citation) bool { return p.Path == l.Path && p.Line == l.Number })
}

// lastPart is the name without its container.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func cut(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return s
}
