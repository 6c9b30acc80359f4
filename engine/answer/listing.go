package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/wording"
)

// listing answers "list functions in X", "what is in package X" and "all methods of X". A subject that is no place
// but a name is asked for like a definition.
type listing struct{ *asked }

func (w listing) answer(ctx context.Context) (*Answer, error) {
	if p, ok, err := w.container(ctx); err != nil || ok {
		if err != nil {
			return nil, err
		}
		return w.members(ctx, p)
	}
	path, ok := w.pathOf(ctx)
	if !ok {
		return definition{w.with(question.Question{Text: w.q.Text, Intent: question.Definition, Subject: w.q.Subject})}.answer(ctx)
	}
	d := &builder{}
	list, total, aside, err := w.Library.List(ctx, evidence.Filter{Path: path, Types: w.q.Types}, maxOutline)
	if err != nil {
		return nil, err
	}
	if total == 0 {
		return w.abstain(fmt.Sprintf("definitions in %s", code(path))), nil
	}
	whole := code(path)
	if path == "" {
		whole = "This project"
	}
	d.say("%s has %s%s:", whole, wording.Count(total, "definition", "definitions"), asideOf(aside, total))
	d.outline(list, total)
	return d.answer(w.q.Intent, 0.9), nil
}

// container finds the type whose members a listing asks for: those that ask for methods mean a type rather than a
// file that is named like it.
func (w listing) container(ctx context.Context) (evidence.Citation, bool, error) {
	if w.q.Here || !slices.Contains(w.q.Types, "method") && !slices.Contains(w.q.Types, "function") || !question.IsName(w.q.Subject) {
		return evidence.Citation{}, false, nil
	}
	return w.classNamed(ctx, w.q.Subject)
}

// members lists the methods of a type.
func (w listing) members(ctx context.Context, p evidence.Citation) (*Answer, error) {
	list, total, _, err := w.Library.List(ctx, evidence.Filter{Container: lastPart(p.Name), Path: folderOf(p.Path), Types: []string{"method"}}, maxOutline)
	if err != nil {
		return nil, err
	}
	d := &builder{}
	if total == 0 {
		d.say("%s, %s in %s, has no methods of its own %s.", code(p.Name), withArticle(thing(p)), p.Place(), d.cite(p))
		return d.answer(w.q.Intent, 0.7), nil
	}
	d.say("%s, %s in %s %s, has %s:", code(p.Name), withArticle(thing(p)), p.Place(), d.cite(p), wording.Count(total, "method", "methods"))
	d.outline(list, total)
	return d.answer(w.q.Intent, 0.9), nil
}

// outline lists definitions by their signatures.
func (d *builder) outline(list []evidence.Citation, total int) {
	var lines []string
	for _, p := range list {
		lines = append(lines, fmt.Sprintf("%s in %s %s", code(cmp.Or(p.Signature, p.Name)), p.Place(), d.cite(p)))
	}
	d.list(withRest(lines, total))
}

// asideOf says how many of what is listed is no part of the program itself.
func asideOf(aside, total int) string {
	if aside == 0 || aside == total {
		return ""
	}
	return fmt.Sprintf(", %d of them in tests, examples, or generated or foreign code", aside)
}

func folderOf(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '/'))]
}
