package answer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/wording"
)

// importers answers "who imports X", X being a file or folder here or a module from elsewhere.
type importers struct{ *asked }

func (w importers) answer(ctx context.Context) (*Answer, error) {
	path, _ := w.pathOf(ctx)
	lines, err := w.Library.Importers(ctx, path, w.q.Subject)
	if err != nil {
		return nil, err
	}
	what := code(w.q.Subject)
	if path != "" {
		what = code(path)
	}
	if len(lines) == 0 {
		if found, err := w.subject(ctx); err != nil || len(found) > 0 { // "depends on X", X being no module
			return usage(w).answer(ctx)
		}
		return w.abstain("imports of " + what), nil
	}
	files := filesOf(lines)
	d := &builder{}
	program := slices.DeleteFunc(slices.Clone(lines), func(l evidence.Line) bool { return l.Test })
	inTests := len(files) - len(filesOf(program))
	among := ""
	if inTests > 0 && len(program) > 0 {
		among = fmt.Sprintf(" (%d of them tests, examples, or generated or foreign code)", inTests)
	}
	d.say("%s is imported by %s%s: %s.", what, wording.Count(len(files), "file", "files"), among, someFiles(append(filesOf(program), files...)))
	var list []string
	for _, l := range firstPerFile(append(program, lines...))[:min(maxOutline, len(files))] {
		list = append(list, d.line(l))
	}
	d.list(withRest(list, len(files)))
	return d.answer(w.q.Intent, 0.9), nil
}

// imports answers "what does X import", X being a file or folder.
type imports struct{ *asked }

func (w imports) answer(ctx context.Context) (*Answer, error) {
	path, ok := w.pathOf(ctx)
	if !ok {
		return w.abstain("a file or folder " + code(w.q.Subject)), ctx.Err()
	}
	inside, outside, err := w.Library.Imports(ctx, path)
	if err != nil {
		return nil, err
	}
	d := &builder{}
	p, cited := w.Library.File(ctx, path)
	at := ""
	if cited {
		at = " " + d.cite(p)
	}
	if len(inside)+len(outside) == 0 {
		d.say("%s imports nothing%s.", code(path), at)
		return d.answer(w.q.Intent, 0.7), nil
	}
	var parts []string
	if len(inside) > 0 {
		var names []string
		for _, p := range inside {
			names = append(names, code(p.Path)+" "+d.cite(p))
		}
		parts = append(parts, wording.Count(len(inside), "file", "files")+" of this workspace: "+and(names))
	}
	if len(outside) > 0 {
		parts = append(parts, wording.Count(len(outside), "module", "modules")+" from elsewhere: "+and(codes(outside[:min(maxOutline, len(outside))])))
	}
	d.say("%s%s imports %s.", code(path), at, strings.Join(parts, "; and "))
	return d.answer(w.q.Intent, 0.9), nil
}

// filesOf returns the paths of lines, each once.
func filesOf(lines []evidence.Line) []string {
	var files []string
	for _, l := range lines {
		files = append(files, l.Path)
	}
	return wording.Unique(files)
}

func firstPerFile(lines []evidence.Line) []evidence.Line {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(lines), func(l evidence.Line) bool {
		known := seen[l.Path]
		seen[l.Path] = true
		return known
	})
}

// someFiles names the first of some files, each once.
func someFiles(files []string) string {
	const shown = 8
	once := wording.Unique(files)
	return andMore(codes(once[:min(shown, len(once))]), len(once))
}

func codes(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, code(n))
	}
	return out
}
