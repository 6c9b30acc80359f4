package answer

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/aurora-sidecar/aurora/engine/answer/evidence"
	"github.com/aurora-sidecar/aurora/engine/answer/question"
	"github.com/aurora-sidecar/aurora/engine/codebase"
	"github.com/aurora-sidecar/aurora/engine/wording"
	"github.com/aurora-sidecar/aurora/internal/lazyregexp"
	"github.com/aurora-sidecar/aurora/internal/text"
)

// concept explains a plain word, as undo in "how does undo work?": people mean what the program does, and a method that
// happens to have the word as its name is seldom that.
type concept struct {
	explanation
	stem string // of the word
}

var (
	plainWord = lazyregexp.New(`^[a-z]{3,}$`)
	// namesKind is a word by which a question says that it means a definition of that name.
	namesKind = lazyregexp.New("(?i)\\b(?:function|method|class|type|struct|interface|trait|enum|macro|constant|symbol|command|flag|option)\\b|\\(\\)|[`'\"]")
)

// concept returns nil when the subject of the question is spelled like a name, or said to be one.
func (w explanation) concept() *concept {
	if w.q.Here || !plainWord.MatchString(w.q.Subject) || namesKind.MatchString(w.q.Text) {
		return nil
	}
	return &concept{w, text.Stem(w.q.Subject)}
}

// names reports whether a definition of the word is what the word means: it is a type with a body, or no other file of the
// program has the very word in a name.
func (w *concept) names(ctx context.Context, p evidence.Citation) (bool, error) {
	if p.Type == "class" && strings.Count(p.Text, "\n") > 1 {
		return true, nil
	}
	others, _, err := w.named(ctx)
	return !slices.ContainsFunc(others, func(o evidence.Citation) bool {
		return o.Path != p.Path && slices.Contains(evidence.SplitWords(lastPart(o.Name)), w.q.Subject)
	}), err
}

// named lists the definitions of the program that have the word in their names, those with the fewest other words first, and
// how many there are.
func (w *concept) named(ctx context.Context) ([]evidence.Citation, int, error) {
	f := evidence.Filter{Types: []string{"function", "method", "class"}, Fits: func(name string) bool { return evidence.Stems(name)[w.stem] }}
	list, total, aside, err := w.Library.List(ctx, f, maxRanked)
	list = withBodies(slices.DeleteFunc(list, func(p evidence.Citation) bool { return p.Test }))
	words := func(p evidence.Citation) int { return len(evidence.SplitWords(lastPart(p.Name))) }
	slices.SortStableFunc(list, func(a, b evidence.Citation) int { return cmp.Compare(words(a), words(b)) })
	return list, total - aside, err
}

// answer tells of the one file or folder that is named after the word, else lists the names that have it, as best matches. It
// returns nil when nothing has it.
func (w *concept) answer(ctx context.Context) (*Answer, error) {
	if at, ok := w.place(); ok {
		if a, err := w.onlyTypeIn(ctx, at); a != nil || err != nil {
			return a, err
		}
		if a, err := w.outlineOf(ctx, at); a != nil || err != nil {
			return a, err
		}
	}
	list, total, err := w.named(ctx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	d := &builder{}
	d.say("%s in %s is the best match for %s; not verified by a model. %s the word in %s:", code(list[0].Name), list[0].Place(), code(w.q.Subject),
		wording.Count(total, "definition has", "definitions have"), map[bool]string{true: "its name", false: "their names"}[total == 1])
	d.describeEach(list[:min(maxListed, len(list))], total)
	return d.answer(question.Citations, 0.3), nil
}

// onlyTypeIn explains the type of a file that defines nothing else; it returns nil for any other file.
func (w *concept) onlyTypeIn(ctx context.Context, at string) (*Answer, error) {
	list, _, _, err := w.Library.List(ctx, evidence.Filter{Path: at, Types: []string{"function", "class"}}, 2)
	if err != nil || len(list) != 1 || list[0].Type != "class" || list[0].Path != at {
		return nil, err
	}
	d := &builder{}
	d.describe(list[0])
	if err := w.path(ctx, d, list[0]); err != nil {
		return nil, err
	}
	return d.answer(w.q.Intent, 0.75), nil
}

// place is the file or folder of code that has the word in its name when there is one only, or one of two that has no other
// word.
func (w *concept) place() (string, bool) {
	var all, exact []string
	for f := range w.Library.Snap.Listed() {
		if codebase.IsCodePath(f.Path) {
			if at, bare := w.placeIn(f.Path); at != "" && !slices.Contains(all, at) {
				all = append(all, at)
				if bare {
					exact = append(exact, at)
				}
			}
		}
	}
	switch {
	case len(all) == 1:
		return all[0], true
	case len(all) == 2 && len(exact) == 1:
		return exact[0], true
	}
	return "", false
}

// placeIn is the first part of a path that has the word in its name, up to there, and whether the name is the word alone.
func (w *concept) placeIn(file string) (at string, bare bool) {
	end := 0
	for part := range strings.SplitSeq(file, "/") {
		end += len(part)
		if words := evidence.SplitWords(strings.TrimSuffix(part, path.Ext(part))); evidence.Stems(strings.Join(words, " "))[w.stem] {
			return file[:end], len(words) == 1
		}
		end++
	}
	return "", false
}
