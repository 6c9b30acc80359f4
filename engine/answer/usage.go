package answer

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// usage answers "who calls X".
func (w *Writer) usage(ctx context.Context, q Question) (*Answer, error) {
	definitions, err := w.subject(ctx, q)
	if err != nil {
		return nil, err
	}
	name := lastPart(q.Subject)
	if len(definitions) > 0 {
		name = lastPart(definitions[0].Name)
	}
	if !isName(name) {
		return w.passages(ctx, q)
	}
	callers, total, err := w.Library.Callers(ctx, name, maxListed)
	if err != nil {
		return nil, err
	}
	d := &draft{}
	if total == 0 {
		return w.mentions(ctx, d, q, name, definitions)
	}
	d.say("Something called %s is called in %s:", code(name), number(total, "place", "places"))
	d.list(w.callLines(d, callers, total, name))
	switch len(definitions) {
	case 0:
	case 1:
		d.say("%s is defined in %s %s.", code(definitions[0].Name), definitions[0].Place(), d.cite(definitions[0]))
	default:
		d.say("The calls are found by name, and %s has %d definitions, the first in %s %s.",
			code(name), len(definitions), definitions[0].Place(), d.cite(definitions[0]))
	}
	return d.answer(q.Intent, 0.8), nil
}

func (w *Writer) callLines(d *draft, callers []Passage, total int, name string) []string {
	var lines []string
	for _, c := range callers {
		line := fmt.Sprintf("%s in %s", code(c.Name), c.Path)
		if n, text := lineWith(c.Text, name); text != "" {
			line = fmt.Sprintf("%s, %s: %s", code(c.Name), fmt.Sprintf("%s:%d", c.Path, c.First+n), code(text))
		}
		lines = append(lines, line+" "+d.cite(c))
	}
	if total > len(callers) {
		lines = append(lines, fmt.Sprintf("and %d more", total-len(callers)))
	}
	return lines
}

// lineWith returns the first line of text that calls name, counted from zero, else the first that holds it.
func lineWith(text, name string) (n int, line string) {
	for _, suffix := range []string{"(", ""} {
		i := 0
		for l := range strings.Lines(text) {
			if holds(l, name, suffix) && !isDefinitionLine(l, name) {
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
		if !isNameRune(before) && !isNameRune(next) && strings.HasPrefix(after, suffix) {
			return true
		}
		rest = after
	}
}

func isNameRune(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
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

// mentions answers a question about uses when nothing calls the name: passages whose text holds it.
func (w *Writer) mentions(ctx context.Context, d *draft, q Question, name string, definitions []Passage) (*Answer, error) {
	found, _, err := w.Library.Search(ctx, name, 3*maxListed)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, p := range found {
		if len(lines) == maxListed || contains(definitions, p) || !strings.Contains(p.Text, name) {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s in %s %s", code(p.Name), p.Place(), d.cite(p)))
	}
	switch {
	case len(lines) > 0:
		d.say("No call of %s was found. It is mentioned in %s:", code(name), number(len(lines), "passage", "passages"))
		d.list(lines)
		return d.answer(q.Intent, 0.6), nil
	case len(definitions) > 0:
		p := definitions[0]
		d.say("%s is defined in %s %s. No call and no mention of it was found elsewhere.", code(p.Name), p.Place(), d.cite(p))
		return d.answer(q.Intent, 0.6), nil
	}
	return w.abstain(q, "calls and mentions of "+code(name)), nil
}

func contains(list []Passage, p Passage) bool {
	for _, q := range list {
		if q.ID == p.ID {
			return true
		}
	}
	return false
}

// lastPart is the name without its container.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

func cut(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return s
}
