package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/wording"
)

// named answers "functions that start with X", "all handlers in X".
type named struct{ *asked }

func (w named) answer(ctx context.Context) (*Answer, error) {
	part := lastWord(w.q.Subject)
	if part == "" {
		return bySearch(ctx, w.asked)
	}
	f := evidence.Filter{Types: w.q.Types}
	where := ""
	if w.q.Other != "" {
		var ok bool
		var err error
		if f, where, ok, err = w.narrow(ctx, f, w.q.Other); err != nil {
			return nil, err
		} else if !ok {
			return w.abstain(fmt.Sprintf("a folder, file or type %s", code(w.q.Other))), nil
		}
	}
	if slices.Contains(f.Types, "function") && !slices.Contains(f.Types, "method") {
		f.Types = append(slices.Clone(f.Types), "method") // people call both functions
	}
	list, total, aside, err := w.fitting(ctx, f, w.q.Fit, part)
	if doer := stemOfDoer(part); err == nil && total == 0 && w.q.Fit == question.Contains && doer != "" {
		part = doer // "handlers" are named handleOrders, too
		list, total, aside, err = w.fitting(ctx, f, w.q.Fit, part)
	}
	if err != nil {
		return nil, err
	}
	what := code(part)
	if total == 0 {
		return w.abstain(fmt.Sprintf("names that %s %s%s", w.q.Fit, what, where)), nil
	}
	d := &builder{}
	program := total - aside
	switch {
	case program == 0:
		d.say("%s %s %s%s, all in tests, examples, or generated or foreign code:", wording.Count(total, "name", "names"), verb(w.q.Fit, total), what, where)
	default:
		d.say("%s %s %s%s%s:", wording.Count(program, nounOf(w.q.Types, 1), nounOf(w.q.Types, 2)), verb(w.q.Fit, program), what, where, first3(list[:min(len(list), program)]))
		list = list[:min(len(list), program)]
	}
	d.outline(list, max(program, len(list)))
	if program > 0 && aside > 0 {
		d.say("%d more %s not listed: tests, examples, generated or foreign code.", aside, isAre(aside))
	}
	return d.answer(w.q.Intent, 0.9), nil
}

// stemOfDoer is what a noun such as handler or validator has in common with its verb, "" for other words.
func stemOfDoer(noun string) string {
	for _, ending := range []string{"er", "or"} {
		if stem, ok := strings.CutSuffix(strings.ToLower(noun), ending); ok && len(stem) >= 4 {
			return stem
		}
	}
	return ""
}

// narrow confines a filter to a type or a place.
func (w named) narrow(ctx context.Context, f evidence.Filter, other string) (evidence.Filter, string, bool, error) {
	p, ok, err := w.classNamed(ctx, other)
	if err != nil {
		return f, "", false, err
	}
	if ok {
		f.Container, f.Path = lastPart(p.Name), folderOf(p.Path)
		return f, " in " + code(p.Name), true, nil
	}
	path, ok := w.Library.Locate(other)
	f.Path = path
	return f, inPath(path), ok, nil
}

// fitting lists the definitions whose names fit. A part without capitals fits in any letter case; one with capitals
// does when nothing is spelled so.
func (w named) fitting(ctx context.Context, f evidence.Filter, fit question.Fit, part string) ([]evidence.Citation, int, int, error) {
	if strings.ContainsFunc(part, unicode.IsUpper) {
		f.Fits = func(name string) bool { return fits(fit, name, part) }
		if list, total, aside, err := w.Library.List(ctx, f, maxOutline); err != nil || total > 0 {
			return list, total, aside, err
		}
	}
	lower := strings.ToLower(part)
	f.Fits = func(name string) bool { return fits(fit, strings.ToLower(name), lower) }
	return w.Library.List(ctx, f, maxOutline)
}

func fits(fit question.Fit, name, part string) bool {
	switch fit {
	case question.Starts:
		return strings.HasPrefix(name, part)
	case question.Ends:
		return strings.HasSuffix(name, part)
	}
	return strings.Contains(name, part)
}

func verb(fit question.Fit, n int) string {
	if n == 1 {
		first, rest, _ := strings.Cut(string(fit), " ")
		return strings.TrimSpace(first + "s " + rest)
	}
	return string(fit)
}

// nounOf names what is listed.
func nounOf(types []string, n int) string {
	noun := "definition"
	if len(types) == 1 {
		noun = map[string]string{"function": "function", "method": "method", "class": "type"}[types[0]]
		if noun == "" {
			noun = "definition"
		}
	}
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// first3 names a few of what follows.
func first3(list []evidence.Citation) string {
	var names []string
	for _, p := range list[:min(3, len(list))] {
		names = append(names, code(p.Name))
	}
	if len(list) > 3 {
		return ", among them " + and(names)
	}
	return ": " + strings.TrimSuffix(and(names), ":")
}

func lastWord(s string) string {
	words := strings.Fields(s)
	if len(words) == 0 {
		return ""
	}
	return strings.Trim(words[len(words)-1], "`'\"()*")
}
