package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/wording"
)

// listing answers "list functions in X", "what is in package X" and "all methods of X". A subject that is no place
// but a name is asked for like a definition.
func (w *Writer) listing(ctx context.Context, q Question) (*Answer, error) {
	if p, ok, err := w.container(ctx, q); err != nil || ok {
		if err != nil {
			return nil, err
		}
		return w.members(ctx, q, p)
	}
	path, ok := w.pathOf(ctx, q)
	if !ok {
		return w.define(ctx, Question{Text: q.Text, Intent: Definition, Subject: q.Subject})
	}
	d := &builder{}
	list, total, aside, err := w.Library.List(ctx, Filter{Path: path, Types: q.Types}, maxOutline)
	if err != nil {
		return nil, err
	}
	if total == 0 {
		return w.abstain(q, fmt.Sprintf("definitions in %s", code(path))), nil
	}
	d.say("%s has %s%s:", code(cmp.Or(path, ".")), wording.Count(total, "definition", "definitions"), asideOf(aside, total))
	d.outline(list, total)
	return d.answer(q.Intent, 0.9), nil
}

// pathOf finds the file or folder that a question names or is asked in.
func (w *Writer) pathOf(ctx context.Context, q Question) (string, bool) {
	if q.Here {
		p, ok := w.Library.Here(ctx)
		return p.Path, ok
	}
	return w.Library.Locate(q.Subject)
}

// container finds the type whose members a listing asks for: those that ask for methods mean a type rather than a
// file that is named like it.
func (w *Writer) container(ctx context.Context, q Question) (Citation, bool, error) {
	if q.Here || !slices.Contains(q.Types, "method") && !slices.Contains(q.Types, "function") || !isName(q.Subject) {
		return Citation{}, false, nil
	}
	return w.classNamed(ctx, q.Subject)
}

// classNamed finds the best type of a name.
func (w *Writer) classNamed(ctx context.Context, name string) (Citation, bool, error) {
	if strings.ContainsAny(name, "/ ") {
		return Citation{}, false, nil
	}
	found, err := w.Library.Definitions(ctx, name)
	if err != nil {
		return Citation{}, false, err
	}
	shown, _ := best(found)
	for _, p := range shown {
		if p.Type == "class" && lastPart(p.Name) == lastPart(name) {
			return p, true, nil
		}
	}
	return Citation{}, false, nil
}

// members lists the methods of a type.
func (w *Writer) members(ctx context.Context, q Question, p Citation) (*Answer, error) {
	list, total, _, err := w.Library.List(ctx, Filter{Container: lastPart(p.Name), Path: folderOf(p.Path), Types: []string{"method"}}, maxOutline)
	if err != nil {
		return nil, err
	}
	d := &builder{}
	if total == 0 {
		d.say("%s, %s in %s, has no methods of its own %s.", code(p.Name), withArticle(thing(p)), p.Place(), d.cite(p))
		return d.answer(q.Intent, 0.7), nil
	}
	d.say("%s, %s in %s %s, has %s:", code(p.Name), withArticle(thing(p)), p.Place(), d.cite(p), wording.Count(total, "method", "methods"))
	d.outline(list, total)
	return d.answer(q.Intent, 0.9), nil
}

// outline lists definitions by their signatures.
func (d *builder) outline(list []Citation, total int) {
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
