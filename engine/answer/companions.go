package answer

import (
	"context"
	"fmt"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/wording"
)

// together answers "what changes together with X", X being a file, or a definition, which stands for its file.
type together struct{ *asked }

func (w together) answer(ctx context.Context) (*Answer, error) {
	path, p, err := w.file(ctx)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return w.abstain("a file or definition " + code(w.q.Subject)), nil
	}
	list, err := w.Library.Past().Together(ctx, path, maxOutline)
	if err != nil {
		return w.withoutGit(ctx, err)
	}
	d := &builder{}
	at := ""
	if p.ID != "" {
		at = " " + d.cite(p)
	}
	if len(list) == 0 {
		d.say("No file changed together with %s%s in two commits or more.", code(path), at)
		return d.answer(w.q.Intent, 0.6), nil
	}
	first := list[0]
	d.say("%s%s changed most often together with %s: in %d of its %s.", code(path), at, code(first.Path), first.Shared, wording.Count(first.Of, "commit", "commits"))
	var rows []string
	for _, c := range list {
		rows = append(rows, fmt.Sprintf("%s: in %d of %d %s", code(c.Path), c.Shared, c.Of, d.cite(c.Citation)))
	}
	d.list(rows)
	d.say("Commits of very many files are not counted.")
	return d.answer(w.q.Intent, 0.85), nil
}

// file finds the file that a question is about; path is "" when there is none.
func (w together) file(ctx context.Context) (path string, p evidence.Citation, err error) {
	if w.q.Here {
		p, _ = w.Library.Here(ctx)
		return p.Path, p, nil
	}
	if path, ok := w.Library.Locate(w.q.Subject); ok && path != "" {
		if p, ok = w.Library.File(ctx, path); ok {
			return path, p, nil
		}
	}
	p, _, ok, err := w.one(ctx)
	if err != nil || !ok {
		return "", evidence.Citation{}, err
	}
	return p.Path, p, nil
}
