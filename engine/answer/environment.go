package answer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
)

// environment answers "which environment variables are read".
type environment struct{ *asked }

func (w environment) answer(ctx context.Context) (*Answer, error) {
	path := ""
	if w.q.Subject != "" {
		var ok bool
		if path, ok = w.Library.Locate(w.q.Subject); !ok {
			return w.abstain("a file or folder " + code(w.q.Subject)), nil
		}
	}
	lines, err := w.Library.Sweep(ctx, environmentWords, func(line string) bool { return !isComment(line) && readsVariable.MatchString(line) })
	if err != nil {
		return nil, err
	}
	byName := map[string][]evidence.Line{}
	aside := 0
	for _, l := range lines {
		switch {
		case !evidence.InPlace(l.Path, path) || isProse(l.Path):
		case l.Test:
			aside++
		default:
			names, err := w.variables(ctx, l.Text)
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				byName[name] = append(byName[name], l)
			}
		}
	}
	d := &builder{}
	if len(byName) == 0 {
		return w.abstain("reads of environment variables" + inPath(path)), nil
	}
	names := slices.SortedFunc(maps.Keys(byName), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(byName[b]), len(byName[a])), strings.Compare(a, b))
	})
	shown := names[:min(maxOutline, len(names))]
	d.say("%s %s read%s: %s.", wording.Count(len(names), "environment variable", "environment variables"), isAre(len(names)), inPath(path), andMore(codes(shown[:min(maxUses, len(shown))]), len(names)))
	var rows []string
	for _, name := range shown {
		var at []string
		for _, l := range byName[name][:min(3, len(byName[name]))] {
			at = append(at, l.At()+" "+d.cite(l.Citation))
		}
		rows = append(rows, fmt.Sprintf("%s in %s", code(name), andMore(at, len(byName[name]))))
	}
	d.list(withRest(rows, len(names)))
	if aside > 0 {
		d.say("%s in tests, examples, or generated or foreign code %s left out. A variable whose name is put together at run time is not seen.",
			wording.Count(aside, "read", "reads"), isAre(aside))
	} else {
		d.say("A variable whose name is put together at run time is not seen.")
	}
	return d.answer(w.q.Intent, 0.8), nil
}

// variables returns the variables that a line reads; a constant stands for its text where one line gives it one.
func (w environment) variables(ctx context.Context, line string) ([]string, error) {
	names, constants := variablesIn(line)
	for _, c := range constants {
		found, err := w.Library.Lines(ctx, c, func(line string) bool {
			m := namesText.FindStringSubmatch(line)
			return m != nil && m[1] == c && declaresConstant.MatchString(line)
		})
		if err != nil {
			return nil, err
		}
		if len(found) > 0 && !found[0].Test && !isProse(found[0].Path) {
			names = append(names, namesText.FindStringSubmatch(found[0].Text)[2])
		}
	}
	return names, nil
}

// declaresConstant is a line that begins with a name, or with words that declare one.
var declaresConstant = lazyregexp.New(`^(?:[A-Za-z_]\w*\s*[:=]|\s*(?:export|pub|public|private|static|final|const|var|let|val)\s|\s*[A-Z][A-Za-z0-9_]*\s+=\s)`)
